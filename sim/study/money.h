#pragma once

/// Price and power of what a forecast ran on.

#include "study/forecast.h"

namespace rigcast::study {

/// Power: each GPU between its idle and board power by how much of its multiprocessors computes, each CPU
/// between idle and rated power by how busy decoding keeps it, over the supply's efficiency. Cost of an hour:
/// the cloud price, or the price over its life in use plus electricity. What is not known stays empty.
Money money(const plan::Scenario& scenario, const Forecast& forecast);

}  // namespace rigcast::study
