// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/exec_pool.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSet>

#include <map>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 largestFile = 1024 * 1024;
constexpr int lockWait = 3000; // ms; it is held for the moment of a write

// A line: SHA-256 in hexadecimal, then a blank and a comment for people. Anything else is not trusted.
QString hashOf(const QString &line)
{
    static const QRegularExpression form(u"^([0-9a-f]{64})(\\s|$)"_s);
    return form.match(line).captured(1);
}

// nullopt: there is something that is not read.
std::optional<QStringList> linesOf(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return QStringList();
    if (!file.open(QIODevice::ReadOnly) || file.size() > largestFile)
        return std::nullopt;
    return QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
}

// Names from a kubeconfig must not begin a new line.
QString comment(const ExecQuestion &question)
{
    QString text = question.program + u" for "_s + question.context;
    for (QChar &c : text)
        if (!c.isPrint())
            c = u'?';
    return text.left(500);
}

} // namespace

struct ExecTrust::Impl
{
    using Allowed = std::function<void(bool)>;

    void answered(const ExecQuestion &question, Answer answer);
    void remember(const ExecQuestion &question) const;
    bool remembered(const QString &hash) const;

    QString file;
    bool trustAll = false;
    Ask ask;
    std::map<QString, bool> now;                     // answers of this run of the program
    std::map<QString, std::vector<Allowed>> waiting; // questions that a person has not answered yet
};

ExecTrust::ExecTrust(QString file, bool trustAll)
    : d(std::make_shared<Impl>())
{
    d->file = std::move(file);
    d->trustAll = trustAll;
}

void ExecTrust::setAsk(Ask ask)
{
    d->ask = std::move(ask);
}

// Read each time: another window of the program may have been told meanwhile.
bool ExecTrust::Impl::remembered(const QString &hash) const
{
    const QStringList lines = linesOf(file).value_or(QStringList());
    return std::any_of(lines.begin(), lines.end(), [&](const QString &line) { return hashOf(line) == hash; });
}

void ExecTrust::Impl::remember(const ExecQuestion &question) const
{
    if (file.isEmpty() || !QDir().mkpath(QFileInfo(file).absolutePath()))
        return;
    QLockFile lock(file + u".lock"_s); // what two windows are told at the same time must not get lost
    if (!lock.tryLock(lockWait))
        return;
    const std::optional<QStringList> before = linesOf(file);
    if (!before) // neither understood nor replaced: the answer holds for this run
        return;
    QStringList lines = *before;
    lines.removeIf([](const QString &line) { return hashOf(line).isEmpty(); });
    lines.append(question.hash + u' ' + comment(question));
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return;
    out.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    out.write(lines.join(u'\n').toUtf8() + '\n');
    out.commit();
}

void ExecTrust::Impl::answered(const ExecQuestion &question, Answer answer)
{
    const auto node = waiting.extract(question.hash);
    if (node.empty())
        return; // answered before
    now[question.hash] = answer != Answer::No;
    if (answer == Answer::Always)
        remember(question);
    for (const Allowed &done : node.mapped())
        done(answer != Answer::No);
}

void ExecTrust::check(const ExecQuestion &question, std::function<void(bool)> done)
{
    if (d->trustAll)
        return done(true);
    if (const auto known = d->now.find(question.hash); known != d->now.end())
        return done(known->second);
    if (d->remembered(question.hash))
        return done(true);
    if (!d->ask)
        return done(false);
    std::vector<Impl::Allowed> &waiting = d->waiting[question.hash];
    waiting.push_back(std::move(done));
    if (waiting.size() > 1)
        return;
    const std::weak_ptr<Impl> self = d;
    const Ask ask = d->ask;
    ask(question, [self, question](Answer answer) {
        if (const auto impl = self.lock())
            impl->answered(question, answer);
    });
}

void ExecTrust::forgetRefusals()
{
    std::erase_if(d->now, [](const auto &item) { return !item.second; });
}

} // namespace switchyard::kube
