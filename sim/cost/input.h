#pragma once

/// Cost of bringing samples into a GPU: storage, page cache, preparation on CPU cores.

#include "plan/scenario.h"

namespace rigcast::cost {

/// Bytes a second a storage device delivers for this access pattern, all its drives.
struct StorageRate {
  BytesPerSecond device;      ///< capacity: what the drives can do together
  BytesPerSecond requesters;  ///< own bound: what so many outstanding reads get at the device's latency;
                              ///< infinite for records
};
StorageRate storage_rate(const hardware::Device& device, const plan::ResolvedPlan& plan);

/// How a device is read or written.
struct Access {
  bool write = false, random = false;
  bool sustained = false;  ///< written for longer than a consumer drive's cache lasts
  Bytes block{4096};
  double outstanding = 1;  ///< requests under way
};
/// Bytes a second of one device, or one array, under such requests.
BytesPerSecond access_rate(const hardware::StoragePart& part, const Access& access);

/// Fraction of reads served by the page cache once the data set has been read through: free memory over data
/// set size, at most 1. `free` is what applications leave.
double page_cache_hit(const plan::ResolvedPlan& plan, Bytes free);

/// Samples a second the node's CPU cores prepare with the plan's workers; infinite when nothing is to be
/// done. Grows with workers to the power of `loader.NAME.core_exponent` (shared caches, memory and a
/// single collecting thread).
double decode_rate(const plan::Scenario& scenario);

/// Samples a second one rank's loader hands over at most (collating, one queue); infinite when synthetic.
double rank_feed_rate(const plan::Scenario& scenario);

/// Host memory traffic of preparing one sample: stored bytes read, decoded bytes written, read and written
/// again by the batch.
Bytes decode_traffic(const plan::Scenario& scenario);

/// Bytes of one prepared sample as copied to the GPU.
Bytes prepared_bytes(const plan::Scenario& scenario);

}  // namespace rigcast::cost
