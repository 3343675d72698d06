#pragma once

/// All parts by id. Machines are kept as files by the config room and built on demand.

#include <map>
#include <string>
#include <vector>

#include "hardware/parts.h"
#include "hardware/profile.h"
#include "hardware/residuals.h"

namespace rigcast::hardware {

template <class Part>
using PartTable = std::map<std::string, Part, std::less<>>;

struct Catalogue {
  std::string date;  ///< ISO; the year is the default framework year
  PartTable<GpuPart> gpus;
  PartTable<CpuPart> cpus;
  PartTable<LinkKind> links;
  PartTable<StoragePart> storage;
  PartTable<SwitchPart> switches;
  Profile profile;
  std::vector<ResidualGroup> residuals;  ///< what intervals rest on
};

}  // namespace rigcast::hardware
