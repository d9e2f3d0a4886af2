#include "network_module.h"

#include <malloc.h>

#include <perslay/io/atomic_file.h>
#include <perslay/nn/network_learner.h>

extern "C" {

__attribute__((visibility("default"))) const char* perslay_network_version() { return PERSLAY_VERSION; }

__attribute__((visibility("default"))) perslay::learn::Learner* perslay_network_learner(
    const perslay::learn::Settings& settings) {
  // Tensors of a megabyte come and go by the thousand. Without this glibc maps and unmaps pages for each of
  // them, which takes a fifth of the time of training.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc allows
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  return new perslay::nn::NetworkLearner(settings);
}

__attribute__((visibility("default"))) void perslay_network_remove_unfinished_files() {
  perslay::io::remove_unfinished_files();
}
}
