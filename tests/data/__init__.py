"""Tests of the datasets."""
