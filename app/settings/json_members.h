#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

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

/// A type with a table: json_members(static_cast<const T*>(nullptr)) returns it.
template <typename T>
concept HasJsonMembers = requires(const T* none) {
  json_members(none);
};

template <typename Owner>
void add_members(nlohmann::ordered_json& json, const Owner& owner) {
  for (const JsonMember<Owner>& member : json_members(&owner)) {
    auto value = member.get(owner);
    if (member.presence != Presence::kUnlessDefault || value != member.get(Owner{}))
      json[member.key] = std::move(value);
  }
}

/// Throws InputError that names the wrong member.
template <typename Owner>
void read_members(const JsonReader& json, Owner& owner) {
  for (const JsonMember<Owner>& member : json_members(&owner)) {
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

/// Builds rows.
template <typename Owner>
struct JsonMemberOf {
  template <auto kMember>
  static constexpr JsonMember<Owner> value(const char* key, Presence presence = Presence::kAlways) {
    return {key, [](const Owner& owner) { return json_of(owner.*kMember); },
            [](const JsonReader& json, const char* name, Owner& owner) {
              read_value(json, name, owner.*kMember);
            },
            presence};
  }
  /// A number of either sign.
  template <auto kMember>
  static constexpr JsonMember<Owner> real(const char* key) {
    return {key, [](const Owner& owner) { return json_of(owner.*kMember); },
            [](const JsonReader& json, const char* name, Owner& owner) { owner.*kMember = json.real(name); }};
  }
  /// A time in milliseconds.
  template <auto kMember>
  static constexpr JsonMember<Owner> time(const char* key) {
    return {key, [](const Owner& owner) { return json_of(owner.*kMember); },
            [](const JsonReader& json, const char* name, Owner& owner) {
              owner.*kMember = json.milliseconds(name);
            }};
  }
  /// A value that `kFunction` computes.
  template <auto kFunction>
  static constexpr JsonMember<Owner> derived(const char* key) {
    return {key, [](const Owner& owner) { return json_of(std::invoke(kFunction, owner)); }};
  }
};

}  // namespace loom::app
