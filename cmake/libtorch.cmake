# libtorch for the module `nn`: Debian's, or any newer one through CMAKE_PREFIX_PATH. Installed like dependencies.cmake.
find_package(Torch REQUIRED)

# Flags that change the layout of std::string would have to hold for every module and every dependency of theirs.
if(TORCH_CXX_FLAGS MATCHES "_GLIBCXX_USE_CXX11_ABI=0")
  message(FATAL_ERROR "The libtorch in ${TORCH_INSTALL_PREFIX} uses the C++ ABI from before C++11. Take a build with the "
                      "new one (its archive is called libtorch-cxx11-abi), or build without libtorch: -DPERSLAY_NN=OFF.")
endif()
