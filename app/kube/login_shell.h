// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The PATH that a terminal would have. A desktop starts programs with a PATH of its own, on which credential programs are missing.
#include <QObject>
#include <QPointer>
#include <QStringList>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace switchyard::kube {

class GroupProcess;
struct ProcessEnd;

struct LoginPath
{
    QStringList folders;
    QString defect; // why it is not known; empty: it is
    bool operator==(const LoginPath &) const = default;
};

// $SHELL, else what the user database says; empty: unknown.
QString userShell();
// What stands between the two marks: rc files print what they like around it. Only absolute folders, each once.
LoginPath pathBetween(const QByteArray &output, const QByteArray &mark);

class LoginShell : public QObject
{
    Q_OBJECT
public:
    explicit LoginShell(QString shell = userShell(), std::chrono::milliseconds limit = std::chrono::seconds(5), QObject *parent = nullptr);
    ~LoginShell() override;
    // The shell is run once, in the background, when first asked. At once when known.
    void path(QObject *context, std::function<void(const LoginPath &)> done);
    QString shell() const { return m_shell; }

private:
    void run();
    void finish(LoginPath path);
    LoginPath read(const ProcessEnd &end) const;

    QString m_shell;
    QByteArray m_mark;
    std::chrono::milliseconds m_limit;
    std::unique_ptr<GroupProcess> m_process;
    std::optional<LoginPath> m_path;
    std::vector<std::pair<QPointer<QObject>, std::function<void(const LoginPath &)>>> m_waiting;
};

} // namespace switchyard::kube
