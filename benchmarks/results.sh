#!/usr/bin/env bash
# Makes results/*.json and the README's picture anew, then the tables of the README. About an hour and a half on two cores.
#
#     bash benchmarks/results.sh [name ...]
set -euo pipefail
cd "$(dirname "$0")/.."
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
keep() { # keep NAME OVERRIDE...: run, and keep its results
  name=$1 && shift
  [[ -z ${wanted:-} || " $wanted " == *" $name "* ]] || return 0
  python -m ganzoo "$@" runs="$runs/$name"
  folder=$(dirname "$(find "$runs/$name" -name results.json)")
  cp "$folder/results.json" "results/$name.json"
  if [[ " $pictures " == *" $name "* ]]; then # without the enlargement
    kind=$([[ $name == fixed_dcgan* ]] && echo averaged || echo raw)
    grid=$(find "$folder/samples" -name "${kind}_*.png" | sort | tail -n 1)
    python - "$grid" "results/$name.png" <<'END'
import sys
from PIL import Image
grid = Image.open(sys.argv[1])
small = grid.resize((grid.width // 2, grid.height // 2), Image.Resampling.NEAREST)
small.save(sys.argv[2], optimize=True)
END
  fi
}
wanted="$*"
pictures="fixed_dcgan_12500 fixed_wgan fixed_mlp_gan fixed_wgan_gp" # of the README
mkdir -p results
keep buggy_dcgan model=buggy_dcgan
keep buggy_dcgan_no_rounding model=buggy_dcgan model.faults.rounded_fakes=false
keep advised_dcgan model=advised_dcgan
keep fixed_dcgan model=fixed_dcgan
keep fixed_dcgan_12500 model=fixed_dcgan budget.generator_steps=12500
keep fixed_dcgan_radford model=fixed_dcgan topology=radford
keep buggy_wgan model=buggy_wgan
keep tiny_wgan experiment=tiny_wgan
keep advised_wgan model=advised_wgan
keep fixed_wgan model=fixed_wgan
keep fixed_wgan_digits model=fixed_wgan data=digits evaluation=digits
keep fixed_mlp_gan model=fixed_mlp_gan
keep fixed_wgan_gp model=fixed_wgan_gp
if [[ -z $wanted ]]; then python benchmarks/article.py && python -m ganzoo claims=all; fi
if [[ -z $wanted || " $wanted " == *" adapt "* ]]; then python benchmarks/adaptation.py; fi
if [[ -z $wanted ]]; then python benchmarks/step.py; fi
python benchmarks/tables.py
