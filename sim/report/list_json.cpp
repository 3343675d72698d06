#include <ostream>

#include "report/json.h"
#include "report/list.h"

namespace rigcast::report {
namespace {

Json object_of(const Facts& facts) {
  Json object = Json::object();
  for (const Fact& fact : facts) {
    if (const auto* text = std::get_if<std::string>(&fact.value)) {
      object[fact.key] = *text;
    } else if (const auto* yes = std::get_if<bool>(&fact.value)) {
      object[fact.key] = *yes;
    } else if (const auto* value = std::get_if<double>(&fact.value)) {
      object[fact.key] = number_or_null(*value);
    } else {
      object[fact.key] = nullptr;
    }
  }
  return object;
}

Json array_of(const Listing& listing) {
  Json array = Json::array();
  for (const Facts& row : listing.rows) array.push_back(object_of(row));
  return array;
}

void print(std::ostream& out, const Json& document) {
  out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

void list_json(std::ostream& out, const std::vector<Listing>& listings, bool by_kind) {
  Json document = by_kind ? Json::object() : Json::array();
  for (const Listing& listing : listings) {
    if (by_kind) {
      document[listing.kind] = array_of(listing);
    } else {
      document = array_of(listing);
    }
  }
  print(out, document);
}

void facts_json(std::ostream& out, const Facts& facts) { print(out, object_of(facts)); }

}  // namespace rigcast::report
