// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the decoders of this folder.
#include "models/patroni/records.h"

namespace switchyard::patroni {

// Collects what one object's annotations get wrong.
class Defects
{
public:
    Defects(std::vector<Defect> &list, std::string object)
        : m_list(list)
        , m_object(std::move(object))
    {}
    void add(std::string field, std::string detail) { m_list.push_back({m_object, std::move(field), std::move(detail)}); }

private:
    std::vector<Defect> &m_list;
    std::string m_object;
};

// nullopt: key missing.
inline std::optional<std::string> annotation(const KubeObject &object, const std::string &key)
{
    const auto it = object.annotations.find(key);
    return it == object.annotations.end() ? std::nullopt : std::optional(it->second);
}

// nullopt: key missing or empty.
inline std::optional<std::string> filledAnnotation(const KubeObject &object, const std::string &key)
{
    auto text = annotation(object, key);
    return text && !text->empty() ? text : std::nullopt;
}

} // namespace switchyard::patroni
