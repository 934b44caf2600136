// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/yaml_tree.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <yaml-cpp/yaml.h>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct YamlWords
{
    Q_DECLARE_TR_FUNCTIONS(YamlWords)
};

std::string placeOf(const QString &file, int line, int column)
{
    std::string text = file.toStdString();
    if (line > 0)
        text += ":" + std::to_string(line) + ":" + std::to_string(column);
    return text;
}

// Copies a document, within bounds: aliases can make a small file endless.
class Copier
{
public:
    explicit Copier(const QString &file)
        : m_file(file)
    {}
    std::optional<Error> error;
    std::vector<Error> defects;

    YamlNode copy(const YAML::Node &node, const std::string &field, int depth)
    {
        YamlNode out;
        out.line = node.Mark().line + 1;
        out.column = node.Mark().column + 1;
        if (error || depth > maxDepth || ++m_count > maxNodes) {
            fail(out, field, YamlWords::tr("too many values or levels"));
            return out;
        }
        if (node.IsScalar()) {
            out.kind = YamlNode::Kind::Scalar;
            out.text = node.Scalar();
            out.quoted = node.Tag() == "!";
        } else if (node.IsSequence()) {
            copyList(node, out, field, depth);
        } else if (node.IsMap()) {
            copyMap(node, out, field, depth);
        }
        return out;
    }

private:
    static constexpr int maxDepth = 64;
    static constexpr int maxNodes = 200'000;

    void copyList(const YAML::Node &node, YamlNode &out, const std::string &field, int depth)
    {
        out.kind = YamlNode::Kind::List;
        for (const YAML::Node &item : node) {
            if (error)
                return;
            out.items.push_back(copy(item, field + "[" + std::to_string(out.items.size()) + "]", depth + 1));
        }
    }

    void copyMap(const YAML::Node &node, YamlNode &out, const std::string &field, int depth)
    {
        out.kind = YamlNode::Kind::Map;
        std::map<std::string, std::size_t> seen;
        for (const auto &pair : node) {
            YamlNode at;
            at.line = pair.first.Mark().line + 1;
            at.column = pair.first.Mark().column + 1;
            if (error)
                return;
            if (!pair.first.IsScalar()) {
                fail(at, field, YamlWords::tr("a field name that is not text"));
                return;
            }
            const std::string key = pair.first.Scalar();
            std::string inner = field;
            inner.append(field.empty() ? "" : ".").append(key);
            YamlNode value = copy(pair.second, inner, depth + 1);
            if (value.line <= 0) {
                value.line = at.line;
                value.column = at.column;
            }
            const auto [place, fresh] = seen.try_emplace(key, out.fields.size());
            if (fresh) {
                out.fields.push_back({key, std::move(value)});
            } else {
                defects.push_back(defect(at, inner, YamlWords::tr("this field is given twice: the last one counts")));
                out.fields[place->second].value = std::move(value);
            }
        }
        mergeInto(out);
    }

    // "<<: *defaults" or "<<: [*a, *b]": fields that the map itself does not have; the first one that has a field wins.
    static void mergeInto(YamlNode &map)
    {
        const auto merge = std::find_if(map.fields.begin(), map.fields.end(), [](const YamlField &f) { return f.name == "<<"; });
        if (merge == map.fields.end() || merge->value.kind == YamlNode::Kind::Scalar)
            return;
        const YamlNode sources = std::move(merge->value);
        map.fields.erase(merge);
        std::set<std::string> known;
        for (const YamlField &field : map.fields)
            known.insert(field.name);
        addMissing(map, sources, known);
        for (const YamlNode &source : sources.items)
            addMissing(map, source, known);
    }

    static void addMissing(YamlNode &map, const YamlNode &source, std::set<std::string> &known)
    {
        for (const YamlField &field : source.fields) {
            if (known.insert(field.name).second)
                map.fields.push_back(field);
        }
    }

    Error defect(const YamlNode &at, const std::string &field, const QString &message) const
    {
        return Error{
            .kind = ErrorKind::BadInput, .where = placeOf(m_file, at.line, at.column), .field = field, .message = message.toStdString()};
    }

    void fail(const YamlNode &at, const std::string &field, const QString &message)
    {
        if (!error)
            error = defect(at, field, message);
    }

    QString m_file;
    int m_count = 0;
};

// yaml-cpp puts pieces of the file behind a colon ("the referenced anchor is not defined: ..."): those may be secret.
QString withoutContents(const std::string &message)
{
    return QString::fromStdString(message.substr(0, message.find(':')));
}

QJsonValue plainWord(const QString &word)
{
    const QString small = word.toLower();
    if (small == u"true"_s || small == u"yes"_s || small == u"on"_s)
        return true;
    if (small == u"false"_s || small == u"no"_s || small == u"off"_s)
        return false;
    bool isNumber = false;
    if (const qint64 number = word.toLongLong(&isNumber); isNumber)
        return number;
    const double real = word.toDouble(&isNumber);
    return isNumber && std::isfinite(real) ? QJsonValue(real) : QJsonValue(word);
}

QJsonValue jsonValue(const YamlNode &node)
{
    switch (node.kind) {
    case YamlNode::Kind::Null: return QJsonValue::Null;
    case YamlNode::Kind::Scalar: {
        const QString word = QString::fromStdString(node.text);
        return node.quoted ? QJsonValue(word) : plainWord(word);
    }
    case YamlNode::Kind::List: {
        QJsonArray list;
        for (const YamlNode &item : node.items)
            list.append(jsonValue(item));
        return list;
    }
    case YamlNode::Kind::Map: break;
    }
    QJsonObject object;
    for (const YamlField &field : node.fields)
        object.insert(QString::fromStdString(field.name), jsonValue(field.value));
    return object;
}

} // namespace

QByteArray toJson(const YamlNode &node)
{
    const QJsonValue value = jsonValue(node);
    if (value.isObject())
        return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
    // QJsonDocument knows no single values: out of a list of one.
    const QByteArray list = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

const YamlNode *YamlNode::find(const std::string &key) const
{
    for (const auto &[name, value] : fields) {
        if (name == key)
            return value.kind == Kind::Null ? nullptr : &value;
    }
    return nullptr;
}

std::string place(const QString &file, const YamlNode &node)
{
    return placeOf(file, node.line, node.column);
}

Result<YamlDocument> parseYaml(const QByteArray &text, const QString &file)
{
    try {
        Copier copier(file);
        YamlNode root = copier.copy(YAML::Load(text.toStdString()), {}, 0);
        if (copier.error)
            return tl::unexpected(*copier.error);
        return YamlDocument{std::move(root), std::move(copier.defects)};
    } catch (const YAML::Exception &e) {
        return tl::unexpected(Error{.kind = ErrorKind::BadInput,
                                    .where = placeOf(file, e.mark.line + 1, e.mark.column + 1),
                                    .message = YamlWords::tr("not readable as YAML: %1").arg(withoutContents(e.msg)).toStdString()});
    } catch (const std::exception &) {
        return tl::unexpected(Error{
            .kind = ErrorKind::BadInput, .where = file.toStdString(), .message = YamlWords::tr("not readable as YAML").toStdString()});
    }
}

} // namespace switchyard::kube
