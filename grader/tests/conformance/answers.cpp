#include "tests/conformance/answers.h"

#include <cstdio>
#include <fstream>

namespace conformance {

std::string Answers::header() const {
  std::string text = title + "\nGPU: " + machine.device + "\nDriver: " + machine.driver +
                     "\nToolkit: " + machine.toolkit + "\n";
  if (!names.empty()) text += "Names: " + std::to_string(names.size()) + "\n";
  if (maps != 0) text += "Maps: " + std::to_string(maps) + "\n";
  return text + "Cases: " + std::to_string(cases.size()) + "\n";
}

bool write(const std::string& path, const Answers& answers) {
  const std::string unfinished = path + ".part";
  std::ofstream file(unfinished, std::ios::binary);
  file << answers.header() << "\n";
  for (const std::string& name : answers.names) file << name << "\n";
  file.write(reinterpret_cast<const char*>(answers.accepted.data()),
             static_cast<std::streamsize>(answers.accepted.size()));
  file.write(reinterpret_cast<const char*>(answers.cases.data()),
             static_cast<std::streamsize>(answers.cases.size() * sizeof(std::uint64_t)));
  file.close();
  return file && std::rename(unfinished.c_str(), path.c_str()) == 0;
}

bool read(const std::string& path, Answers& answers) {
  std::ifstream file(path, std::ios::binary);
  std::getline(file, answers.title);
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const auto value = [&](const char* name) -> const char* {
      const std::string start = std::string(name) + ": ";
      return line.starts_with(start) ? line.c_str() + start.size() : nullptr;
    };
    if (const char* device = value("GPU")) answers.machine.device = device;
    if (const char* driver = value("Driver")) answers.machine.driver = driver;
    if (const char* toolkit = value("Toolkit")) answers.machine.toolkit = toolkit;
    if (const char* names = value("Names")) answers.names.resize(std::stoul(names));
    if (const char* maps = value("Maps")) answers.maps = std::stoul(maps);
    if (const char* cases = value("Cases")) answers.cases.resize(std::stoul(cases));
  }
  for (std::string& name : answers.names) std::getline(file, name);
  answers.accepted.resize((answers.maps + 7) / 8);
  file.read(reinterpret_cast<char*>(answers.accepted.data()),
            static_cast<std::streamsize>(answers.accepted.size()));
  file.read(reinterpret_cast<char*>(answers.cases.data()),
            static_cast<std::streamsize>(answers.cases.size() * sizeof(std::uint64_t)));
  return static_cast<bool>(file);
}

}  // namespace conformance
