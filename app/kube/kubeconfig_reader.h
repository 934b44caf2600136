// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From the plain values of a kubeconfig file to its contexts. A defect of a cluster, user or context entry makes only
// the contexts that use it unusable.
#include "app/kube/kubeconfig.h"
#include "app/kube/yaml_tree.h"

#include <QDir>

namespace switchyard::kube {

class KubeconfigReader
{
public:
    KubeconfigReader(const QString &file, const YamlNode &root);
    Kubeconfig read();

private:
    // One entry of the lists clusters, users, contexts.
    struct Entry
    {
        QString name;
        std::string field;               // "users[2].user"
        const YamlNode *entry = nullptr; // the list item
        const YamlNode *body = nullptr;  // its inner map; nullptr: null or missing
        bool twice = false;              // another entry has this name
    };
    using Entries = std::vector<Entry>;
    using Problems = std::vector<Error>;

    Entries entries(const char *list, const char *inner);
    ContextConfig readContext(const Entry &context, const Entries &clusters, const Entries &users) const;
    const Entry *resolve(const Entry &context, const char *what, const Entries &among, Problems &problems) const;
    void readCluster(const Entry &cluster, ContextConfig &config) const;
    void readServer(const Entry &cluster, ContextConfig &config) const;
    void readUser(const Entry &user, ContextConfig &config) const;
    void readClientCertificate(const Entry &user, ContextConfig &config) const;
    void checkPlainHttp(const Entry &user, ContextConfig &config) const;
    void checkCurrentContext(Kubeconfig &out);

    QString text(const Entry &entry, const char *key, Problems &problems) const;
    bool flag(const Entry &entry, const char *key, Problems &problems) const;
    QByteArray pem(const Entry &entry, const char *key, Problems &problems) const;
    void notSupported(const Entry &entry, std::initializer_list<const char *> keys, Problems &problems) const;
    Error problem(ErrorKind kind, const YamlNode &at, const std::string &field, const QString &message) const;
    Error problem(const Entry &entry, const char *key, const QString &message, ErrorKind kind = ErrorKind::BadInput) const;
    QString absolute(const QString &path) const;

    QString m_file;
    QDir m_folder;
    const YamlNode &m_root;
    Problems m_problems;
};

} // namespace switchyard::kube
