// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig_fields.h"

#include <QCoreApplication>
#include <QFile>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct FieldWords
{
    Q_DECLARE_TR_FUNCTIONS(FieldWords)
};

constexpr qint64 largestPem = 4 * 1024 * 1024;

bool isMap(const YamlNode *node)
{
    return node && node->kind == YamlNode::Kind::Map;
}

std::string listed(const std::string &field, std::size_t index)
{
    return field + "[" + std::to_string(index) + "]";
}

} // namespace

Fields::Fields(const KubeconfigFile &file, std::string field, const YamlNode *map, const YamlNode &place, std::vector<Error> &problems)
    : m_file(&file)
    , m_field(std::move(field))
    , m_map(isMap(map) ? map : nullptr)
    , m_place(map && map->line > 0 ? map : &place)
    , m_problems(&problems)
{}

const YamlNode *Fields::find(const std::string &key) const
{
    return m_map ? m_map->find(key) : nullptr;
}

void Fields::report(const std::string &key, const QString &message, ErrorKind kind) const
{
    std::string name = key;
    const YamlNode *at = find(name);
    if (!at && find(name + "-data")) {
        name += "-data";
        at = find(name);
    }
    const std::string field = name.empty() ? m_field : m_field.empty() ? name : m_field + "." + name;
    m_problems->push_back(
        Error{.kind = kind, .where = place(m_file->path, at ? *at : *m_place), .field = field, .message = message.toStdString()});
}

bool Fields::blank(const char *key) const
{
    const YamlNode *node = find(key);
    return !node || (node->kind == YamlNode::Kind::Scalar && node->text.empty());
}

QString Fields::text(const char *key) const
{
    const YamlNode *node = find(key);
    if (!node)
        return {};
    if (node->kind == YamlNode::Kind::Scalar)
        return QString::fromStdString(node->text);
    report(key, FieldWords::tr("text is expected here"));
    return {};
}

bool Fields::flag(const char *key) const
{
    const QString value = text(key).toLower();
    if (value == u"true"_s || value == u"yes"_s || value == u"on"_s)
        return true;
    if (!value.isEmpty() && value != u"false"_s && value != u"no"_s && value != u"off"_s)
        report(key, FieldWords::tr("true or false is expected here"));
    return false;
}

QStringList Fields::texts(const char *key) const
{
    const YamlNode *node = find(key);
    QStringList out;
    if (!node)
        return out;
    bool good = node->kind == YamlNode::Kind::List;
    for (const YamlNode &item : node->items) {
        good = good && (item.kind == YamlNode::Kind::Scalar || item.kind == YamlNode::Kind::Null);
        out.append(QString::fromStdString(item.text)); // null is "", as for kubectl
    }
    if (good)
        return out;
    report(key, FieldWords::tr("a list of texts is expected here"));
    return {};
}

QString Fields::path(const char *key) const
{
    const QString value = text(key);
    return value.isEmpty() ? QString() : QDir::cleanPath(m_file->folder.absoluteFilePath(value));
}

QByteArray Fields::decoded(const std::string &key) const
{
    const QString data = text(key.c_str()).simplified().remove(u' ');
    const auto bytes = QByteArray::fromBase64Encoding(data.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    if (!bytes)
        report(key, FieldWords::tr("not valid base64"));
    return bytes ? *bytes : QByteArray();
}

QByteArray Fields::pem(const char *key, QString &origin) const
{
    const std::string dataKey = std::string(key) + "-data";
    if (const YamlNode *data = find(dataKey); data && (data->kind != YamlNode::Kind::Scalar || !data->text.empty()))
        return decoded(dataKey);
    origin = path(key);
    if (origin.isEmpty())
        return {};
    QFile file(origin);
    if (!file.open(QIODevice::ReadOnly)) {
        report(key, FieldWords::tr("%1 cannot be read: %2").arg(origin, file.errorString()));
        return {};
    }
    QByteArray contents = file.read(largestPem);
    if (contents.isEmpty())
        report(key, FieldWords::tr("%1 is empty").arg(origin));
    return contents;
}

std::vector<Fields> Fields::items(const char *key) const
{
    std::vector<Fields> out;
    const YamlNode *list = find(key);
    if (!list)
        return out;
    if (list->kind != YamlNode::Kind::List) {
        report(key, FieldWords::tr("a list is expected here"));
        return out;
    }
    const std::string field = m_field.empty() ? std::string(key) : m_field + "." + key;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const YamlNode &item = list->items[i];
        const Fields fields(*m_file, listed(field, i), &item, item.line > 0 ? item : *list, *m_problems);
        if (isMap(&item))
            out.push_back(fields);
        else
            fields.report("", FieldWords::tr("named fields are expected here"));
    }
    return out;
}

std::optional<Fields> Fields::inner(const char *key) const
{
    const YamlNode *node = find(key);
    if (!node)
        return std::nullopt;
    if (!isMap(node)) {
        report(key, FieldWords::tr("named fields are expected here"));
        return std::nullopt;
    }
    return Fields(*m_file, m_field.empty() ? std::string(key) : m_field + "." + key, node, *m_place, *m_problems);
}

} // namespace switchyard::kube
