#include <iostream>

#include <perslay/nn/perslay.h>

// A diagram of one point through a module, and back to its parameters.
int main() {
  using namespace perslay;
  nn::PersLay perslay(nn::PersLayOptions{.phi = "gaussian:5x5", .weight = "grid:10x10", .op = "sum"});
  std::cout << perslay << '\n';
  const nn::RaggedBatch batch(torch::tensor({{0.25F, 0.75F}}), torch::tensor({0, 1}, torch::kInt64));
  perslay->forward(batch).sum().backward();
  return perslay->named_parameters()["weight.cells"].grad().sum().item<float>() > 0 ? 0 : 1;
}
