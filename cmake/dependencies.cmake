# The libraries that perslay needs. This file is also installed: the package configuration includes it, so that a
# consumer finds exactly what the build found.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

find_package(fmt REQUIRED)                                     # sentences: std::format is absent from GCC 12
pkg_check_modules(PERSLAY_HWY REQUIRED IMPORTED_TARGET libhwy libhwy-contrib) # SIMD chosen at run time, and sorts
pkg_check_modules(PERSLAY_BLAS REQUIRED IMPORTED_TARGET openblas)      # dense linear algebra under LAPACKE
pkg_check_modules(PERSLAY_LAPACKE REQUIRED IMPORTED_TARGET lapacke)    # eigenvalues and eigenvectors
pkg_check_modules(PERSLAY_ARCHIVE REQUIRED IMPORTED_TARGET libarchive) # datasets straight from .zip and .tar.*
pkg_check_modules(PERSLAY_ZLIB REQUIRED IMPORTED_TARGET zlib)          # the checksums of .gz, which libarchive skips
pkg_check_modules(PERSLAY_EXPAT REQUIRED IMPORTED_TARGET expat)        # GraphML: XML without trees, with lines
find_path(PERSLAY_BOOST_INCLUDE_DIR boost/multiprecision/cpp_int.hpp REQUIRED) # exact arithmetic, headers only
find_path(PERSLAY_SVM_INCLUDE_DIR libsvm/svm.h REQUIRED)        # support vector machines
find_library(PERSLAY_SVM_LIBRARY svm REQUIRED)
pkg_search_module(PERSLAY_HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5) # diagram files
pkg_check_modules(PERSLAY_XXHASH REQUIRED IMPORTED_TARGET libxxhash)  # names of cached files, fingerprints
find_package(tomlplusplus REQUIRED)                            # settings files
find_package(nlohmann_json REQUIRED)                           # headers of safetensors, results, --json
