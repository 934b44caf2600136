// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A folder with credential programs (shell scripts), a pool with clocks of the test's own, and a source that uses them.
#include "app/kube/exec_pool.h"

#include "fake_api_server.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

namespace switchyard::test {

using namespace Qt::StringLiterals;
using namespace switchyard::kube;

inline QByteArray execCredential(const QByteArray &status, const QByteArray &version = "v1")
{
    return QByteArray(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/)" + version + R"(","status":)" + status
                      + "}");
}

inline Error errorOf(const Result<Material> &material)
{
    return material ? Error{} : material.error();
}

class ExecHarness
{
public:
    ExecHarness()
    {
        settings.clock = Clock{[this] { return now; }};
        settings.shell = u"/bin/true"_s;
        settings.path = folder.path() + u"/bin:/usr/bin:/bin"_s;
        settings.home = folder.filePath(u"home"_s);
        settings.unit = [] { return 0.5; };
        settings.limits.grace = std::chrono::milliseconds(100);
        QDir(folder.path()).mkdir(u"bin"_s);
        config.name = u"prod"_s;
        config.file = folder.filePath(u"config"_s);
        config.server = u"https://api.example:6443"_s;
        config.credential.userName = u"dba"_s;
        config.credential.exec = ExecConfig{.apiVersion = u"client.authentication.k8s.io/v1"_s,
                                            .command = u"plugin"_s,
                                            .folder = folder.path(),
                                            .args = {},
                                            .env = {},
                                            .installHint = {},
                                            .clusterConfig = {}};
    }

    ExecConfig &exec() { return *config.credential.exec; }
    QString path(const QString &name) const { return folder.filePath(name); }

    void write(const QString &name, const QByteArray &text, bool executable = false) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write %s", qPrintable(file.fileName()));
        file.write(text);
        file.close();
        if (executable)
            file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }

    // A program that notes each of its runs.
    void program(const QByteArray &body, const QString &name = u"bin/plugin"_s) const
    {
        write(name, "#!/bin/sh\necho run >> " + path(u"runs"_s).toUtf8() + "\n" + body + "\n", true);
    }
    void answering(const QByteArray &status, const QByteArray &version = "v1") const
    {
        program("cat <<'END'\n" + execCredential(status, version) + "\nEND");
    }
    // A program that answers when it is let go.
    void held(const QByteArray &status) const
    {
        program("while [ ! -e " + path(u"go"_s).toUtf8() + " ]; do sleep 0.02; done\ncat <<'END'\n" + execCredential(status) + "\nEND");
    }
    void letGo() const { write(u"go"_s, {}); }
    QByteArray read(const QString &name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    int runs() const { return static_cast<int>(read(u"runs"_s).count("run\n")); }

    std::shared_ptr<ExecPool> pool()
    {
        if (!m_pool)
            m_pool = std::make_shared<ExecPool>(std::make_shared<ExecTrust>(path(u"trust"_s), true), settings);
        return m_pool;
    }
    CredentialSource &source()
    {
        if (!m_source)
            m_source = std::make_unique<CredentialSource>(config, pool());
        return *m_source;
    }
    void close() { m_source.reset(); }

    Result<Material> ask() { return ask(source()); }
    static Result<Material> ask(CredentialSource &source)
    {
        std::optional<Result<Material>> got;
        source.material(&source, [&](const Result<Material> &material) { got = material; });
        if (!waitUntil([&] { return got.has_value(); }, 60000))
            qFatal("no answer");
        return *got;
    }
    Error error() { return errorOf(ask()); }
    QByteArray token() { return ask().value_or(Material{}).authorization; }

    void advance(Duration time)
    {
        now.boot += time;
        now.wall += time;
    }

    QTemporaryDir folder;
    ContextConfig config;
    ExecSettings settings;
    Now now{Boot(std::chrono::hours(1)), *parseInstant("2031-02-01T06:00:00Z")};

private:
    std::shared_ptr<ExecPool> m_pool;
    std::unique_ptr<CredentialSource> m_source;
};

inline bool has(const std::string &text, const QString &words)
{
    return QString::fromStdString(text).contains(words);
}

} // namespace switchyard::test
