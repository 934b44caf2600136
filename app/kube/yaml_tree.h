// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A YAML document as plain values with their places. All of yaml-cpp, and its exceptions, stay behind parseYaml().
#include "models/core/error.h"

#include <QByteArray>
#include <QString>

#include <string>
#include <utility>
#include <vector>

namespace switchyard::kube {

struct YamlField;

struct YamlNode
{
    enum class Kind { Null, Scalar, List, Map };
    Kind kind = Kind::Null;
    std::string text;                                   // Scalar
    std::vector<YamlNode> items;                        // List
    std::vector<YamlField> fields;                      // Map, in the file's order, keys are unique
    int line = 0, column = 0;                           // from 1; 0: unknown
    const YamlNode *find(const std::string &key) const; // nullptr: no such field, or it is null
};

struct YamlField
{
    std::string name;
    YamlNode value;
};

// "file:line:column"
std::string place(const QString &file, const YamlNode &node);

// The first document of a file. Duplicate keys, keys that are not text, and documents that grow without bound by
// aliases are errors. Messages never quote the file's contents.
Result<YamlNode> parseYaml(const QByteArray &text, const QString &file);

} // namespace switchyard::kube
