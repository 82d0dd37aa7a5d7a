"""What the families ``wgan`` and ``adapt`` share: a critic behind a gradient reversal."""
