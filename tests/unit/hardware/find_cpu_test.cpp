#include <doctest/doctest.h>

#include "hardware/compose.h"
#include "small_catalogue.h"

using namespace rigcast::hardware;
using namespace rigcast::hardware::test;

TEST_CASE("a model number in the text names the part") {
  const Catalogue catalogue = small_catalogue();
  struct Case {
    const char* text;
    const char* id;
    int sockets;
  };
  for (const Case& each :
       {Case{"epyc-7502", "epyc-7502", 1}, Case{"AMD EPYC 7502 32-Core", "epyc-7502", 1},
        Case{"2x Xeon Gold 6148", "xeon-gold-6148", 2},
        Case{"Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz", "xeon-e5-2698v4", 1},
        Case{"dual Xeon E5-2698v4", "xeon-e5-2698v4", 2}, Case{"i7-9700K", "core-i7-9700k", 1}}) {
    const auto choice = find_cpu(catalogue, each.text);
    REQUIRE(choice);
    CHECK(choice->part.id == each.id);
    CHECK(choice->sockets == each.sockets);
    CHECK(choice->note.empty());
  }
}

TEST_CASE("an unknown model takes the nearest part, with the stated cores and clock") {
  const Catalogue catalogue = small_catalogue();
  const auto gold = find_cpu(catalogue, "Intel Xeon Gold 6230 CPU at 2.10GHz");
  REQUIRE(gold);
  CHECK(gold->part.id == "xeon-gold-6248");  // second digit 2: the same generation as 6248, not 6148
  CHECK(gold->part.base_clock.value == doctest::Approx(2.1e9));
  CHECK(gold->note ==
        "cpu \"Intel Xeon Gold 6230 CPU at 2.10GHz\": Intel Xeon Gold 6248 Processor stands for it, at 2.10 "
        "GHz as stated");
  const auto epyc = find_cpu(catalogue, "AMD EPYC 7302 16-Core Processor");
  REQUIRE(epyc);
  CHECK(epyc->part.id == "epyc-7502");  // last digit 2: Rome, as 7502; 7763 is Milan
  CHECK(epyc->part.cores == 16);
  CHECK(epyc->part.threads == 32);
  const auto both = find_cpu(catalogue, "2x Xeon E5-2695v4 (36 cores)");
  REQUIRE(both);
  CHECK(both->part.id == "xeon-e5-2698v4");
  CHECK(both->part.cores == 18);  // 36 over two sockets
  const auto new_one = find_cpu(catalogue, "Xeon 8480C");
  REQUIRE(new_one);
  CHECK(new_one->part.id == "xeon-platinum-8480+");
}

TEST_CASE("a text that names no CPU gives nothing") {
  CHECK_FALSE(find_cpu(small_catalogue(), "Amazon EC2"));
  CHECK_FALSE(find_cpu(small_catalogue(), ""));
}
