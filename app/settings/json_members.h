#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/files/json_reader.h"

namespace loom::app {

/// Whether a member is written and has to be there.
enum class Presence {
  kAlways,         ///< written, and an error if it is missing
  kAddedLater,     ///< written; files of older versions lack it, and the default stays
  kUnlessDefault,  ///< only written if it differs from the default
};

/// One member of the JSON object of a type: a row of its table, by which the object is written and read.
template <typename Owner>
struct JsonMember {
  const char* key;
  nlohmann::ordered_json (*get)(const Owner&);
  /// Reads the member into the owner. Null for a derived value, which is only written.
  void (*set)(const JsonReader& json, const char* key, Owner& owner) = nullptr;
  Presence presence = Presence::kAlways;
};

/// The table of a type, an array of JsonMember. A type without a table has no specialization.
template <typename T>
constexpr std::nullptr_t kJsonMembers = nullptr;
template <typename T>
concept HasJsonMembers = !std::is_null_pointer_v<std::remove_const_t<decltype(kJsonMembers<T>)>>;

template <typename Owner>
void add_members(nlohmann::ordered_json& json, const Owner& owner) {
  for (const JsonMember<Owner>& member : kJsonMembers<Owner>) {
    auto value = member.get(owner);
    if (member.presence != Presence::kUnlessDefault || value != member.get(Owner{}))
      json[member.key] = std::move(value);
  }
}

/// Throws InputError that names the wrong member.
template <typename Owner>
void read_members(const JsonReader& json, Owner& owner) {
  for (const JsonMember<Owner>& member : kJsonMembers<Owner>) {
    const bool is_needed = member.presence == Presence::kAlways || json.has(member.key);
    if (member.set != nullptr && is_needed) member.set(json, member.key, owner);
  }
}

template <typename Value>
nlohmann::ordered_json json_of(const Value& value) {
  if constexpr (HasJsonMembers<Value>) {
    // An object from the start. A null value becomes an object by its first member; if memory runs out there,
    // the destructor of nlohmann::json treats the incomplete value as an object.
    auto json = nlohmann::ordered_json::object();
    add_members(json, value);
    return json;
  } else {
    return value;
  }
}
template <typename Value>
nlohmann::ordered_json json_of(const std::optional<Value>& value) {
  return value ? json_of(*value) : nlohmann::ordered_json();
}

template <typename Value>
nlohmann::ordered_json json_of(const std::vector<Value>& values) {
  auto json = nlohmann::ordered_json::array();
  for (const Value& value : values) json.push_back(json_of(value));
  return json;
}

/// Reads a member: a text, true or false, a whole number, a number of 0 or more, or an object.
template <typename Value>
void read_value(const JsonReader& json, const char* key, Value& value) {
  if constexpr (HasJsonMembers<Value>) {
    read_members(json.object(key), value);
  } else if constexpr (std::same_as<Value, std::string>) {
    value = json.text(key);
  } else if constexpr (std::same_as<Value, bool>) {
    value = json.yes_no(key);
  } else if constexpr (std::integral<Value>) {
    value = json.whole<Value>(key);
  } else {
    static_assert(std::same_as<Value, double>);
    value = json.number(key);
  }
}
template <typename Value>
void read_value(const JsonReader& json, const char* key, std::optional<Value>& value) {
  if (json.is_null(key)) return value.reset();
  read_value(json, key, value.emplace());
}

/// A list of objects, or of texts.
template <typename Value>
void read_value(const JsonReader& json, const char* key, std::vector<Value>& values) {
  values.clear();
  const std::string path = json.path(key) + "[]";
  for (const auto& item : json.array(key)) {
    if constexpr (HasJsonMembers<Value>) {
      read_members(JsonReader(item, path), values.emplace_back());
    } else {
      if (!item.is_string()) throw InputError(path + " is not a text");
      values.push_back(item.template get<std::string>());
    }
  }
}

template <typename Member, typename Owner>
Owner owner_of(Member Owner::*);
/// The class of a pointer to a member.
template <auto kMember>
using OwnerOf = decltype(owner_of(kMember));

/// A row for a member. `Owner` is the type of the table where the member is inherited.
template <auto kMember, typename Owner = OwnerOf<kMember>>
constexpr JsonMember<Owner> json_row(const char* key, Presence presence = Presence::kAlways) {
  return {
      key, [](const Owner& owner) { return json_of(owner.*kMember); },
      [](const JsonReader& json, const char* name, Owner& owner) { read_value(json, name, owner.*kMember); },
      presence};
}
/// A row for a number that `kRead`, a function of JsonReader, reads.
template <auto kMember, auto kRead>
constexpr JsonMember<OwnerOf<kMember>> json_number(const char* key) {
  using Owner = OwnerOf<kMember>;
  return {key, [](const Owner& owner) { return json_of(owner.*kMember); },
          [](const JsonReader& json, const char* name, Owner& owner) {
            owner.*kMember = std::invoke(kRead, json, name);
          }};
}
/// A row for a value that `kFunction` computes.
template <auto kFunction, typename Owner = OwnerOf<kFunction>>
constexpr JsonMember<Owner> json_derived(const char* key) {
  return {key, [](const Owner& owner) { return json_of(std::invoke(kFunction, owner)); }};
}

}  // namespace loom::app
