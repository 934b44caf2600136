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
    bool quoted = false;                                // Scalar: text even where it looks like a number
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

struct YamlDocument
{
    YamlNode root;
    std::vector<Error> defects; // fields that are given twice: the last one counts, as for kubectl
};

// The first document of a file, "<<" merged in. Keys that are not text, and documents that grow without bound by aliases are errors.
// Messages never quote the file's contents.
Result<YamlDocument> parseYaml(const QByteArray &text, const QString &file);

// The same value as JSON, plain words taken as YAML 1.1 does (yes is true), as kubectl reads it.
QByteArray toJson(const YamlNode &node);

} // namespace switchyard::kube
