// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The program with its window, as an operator of the lab has it, and the hand that clicks: every button, row, box and menu entry is pressed
// where it is shown. What returns bool waits for what it needs; false: it never came.
#include "app/desktop/desktop.h"
#include "tests/lab/lab_control.h"
#include "tests/lab/watched.h"
#include "views/dialogs/choose_dialog.h"

#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

class QPushButton;

namespace switchyard::lab {

constexpr int patience = 90000; // ms; far beyond what a healthy lab needs

QString scopeOf(const Side &side);
QString patronictl(const Side &side, const QStringList &arguments); // what it said
QString number(const std::string &pod);
QString startedAt(const Side &side, const std::string &member); // PostgreSQL; empty: it does not answer
QString logSince(const std::string &member, Instant since);
void bothSides();                                           // rows of a test: the cluster of each kind, by its index
bool isLeader(const Side &side, const std::string &member); // as patronictl says

class Desk
{
public:
    Desk();

    const patroni::Cluster *cluster(const Side &side) const;
    bool calm(const Side &side) const;
    std::string leader(const Side &side) const;
    std::string replica(const Side &side) const;
    Instant now() const { return program->monitor()->now().wall; }
    template<class Widget>
    Widget *shown() const
    {
        for (Widget *w : program->window()->findChildren<Widget *>()) {
            if (w->isVisible())
                return w;
        }
        return nullptr;
    }
    template<class Dialog>
    Dialog *opened() const
    {
        return QTest::qWaitFor([this] { return shown<Dialog>() != nullptr; }, patience) ? shown<Dialog>() : nullptr;
    }

    bool ready(const Side &side); // calm, and its page opened from the fleet
    bool press(const QWidget *in, const QString &text);
    bool ask(rules::ActionKind kind);              // by its button, or its entry under "More"
    bool askForAll(const QString &entry);          // every row of the fleet is selected, then its menu
    bool choose(const std::string &candidate);     // a row of the dialog that asks who takes over
    bool tick(const std::string &member, bool on); // a box in the dialog that asks which members
    bool chooseOnly(const std::string &member);
    bool chooseTime(Instant at);       // typed, in UTC
    bool confirm(const QString &verb); // the last click, once the API server has accepted a try that stores nothing
    QString closeMessages();           // what they said

    std::unique_ptr<desktop::Desktop> program;

private:
    bool pick(const QString &entry, const std::function<void()> &open) const;

    QTemporaryDir m_folder;
};

} // namespace switchyard::lab
