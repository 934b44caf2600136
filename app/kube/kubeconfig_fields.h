// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The named fields of one map of a kubeconfig file, read with their types. Defects are collected with file, line and field;
// they never quote a value.
#include "app/kube/yaml_tree.h"

#include <QDir>
#include <QStringList>

#include <optional>

namespace switchyard::kube {

// One file, parsed.
struct KubeconfigFile
{
    QString path;
    QDir folder; // what relative paths in it start from
    YamlNode root;
};

class Fields
{
public:
    // `place`: where to point at when there is no map, or a field is missing.
    Fields(const KubeconfigFile &file, std::string field, const YamlNode *map, const YamlNode &place, std::vector<Error> &problems);

    const YamlNode *find(const std::string &key) const; // nullptr: missing or null
    bool blank(const char *key) const;                  // missing, null or ""
    QString text(const char *key) const;
    bool flag(const char *key) const;
    QStringList texts(const char *key) const;
    QString path(const char *key) const; // made absolute; empty: none
    // KEY-data (base64) before KEY (a file, whose absolute path goes to `origin`).
    QByteArray pem(const char *key, QString &origin) const;
    std::vector<Fields> items(const char *key) const;   // a list of maps; what is none is reported and left out
    std::optional<Fields> inner(const char *key) const; // a map

    // Names KEY, or KEY-data if only that is there; "": the map itself.
    void report(const std::string &key, const QString &message, ErrorKind kind = ErrorKind::BadInput) const;
    const QDir &folder() const { return m_file->folder; }
    const YamlNode *map() const { return m_map; }

private:
    QByteArray decoded(const std::string &key) const;

    const KubeconfigFile *m_file;
    std::string m_field;
    const YamlNode *m_map; // nullptr: null, missing or no map
    const YamlNode *m_place;
    std::vector<Error> *m_problems;
};

} // namespace switchyard::kube
