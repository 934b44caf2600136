// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/yaml_tree.h"

#include <QCoreApplication>

#include <set>

#include <yaml-cpp/yaml.h>

namespace switchyard::kube {
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
        std::set<std::string> seen;
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
            if (!seen.insert(key).second) {
                fail(at, inner, YamlWords::tr("this field is given twice"));
                return;
            }
            YamlNode value = copy(pair.second, inner, depth + 1);
            if (value.line <= 0) {
                value.line = at.line;
                value.column = at.column;
            }
            out.fields.push_back({key, std::move(value)});
        }
    }

    void fail(const YamlNode &at, const std::string &field, const QString &message)
    {
        if (error)
            return;
        error = Error{
            .kind = ErrorKind::BadInput, .where = placeOf(m_file, at.line, at.column), .field = field, .message = message.toStdString()};
    }

    QString m_file;
    int m_count = 0;
};

// yaml-cpp puts pieces of the file behind a colon ("the referenced anchor is not defined: ..."): those may be secret.
QString withoutContents(const std::string &message)
{
    return QString::fromStdString(message.substr(0, message.find(':')));
}

} // namespace

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

Result<YamlNode> parseYaml(const QByteArray &text, const QString &file)
{
    try {
        Copier copier(file);
        YamlNode root = copier.copy(YAML::Load(text.toStdString()), {}, 0);
        if (copier.error)
            return tl::unexpected(*copier.error);
        return root;
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
