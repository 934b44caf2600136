// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A running program beside a running simulator, as a user would have it, and clicks.
#include "app/desktop/desktop.h"
#include "app/simulator/simulator.h"
#include "tests/support/patience.h"
#include "views/dialogs/choose_dialog.h"

#include <QAbstractButton>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

namespace switchyard::made {

using namespace Qt::StringLiterals;
using patroni::LockState;
using patroni::Outcome;

inline constexpr int patience = 30000; // ms; far beyond what a healthy run needs

inline simulator::Plan quickPlan()
{
    simulator::Plan plan;
    simulator::ClusterPlan acme;
    acme.ns = "payments";
    acme.scope = "acme";
    acme.ttl = 20;
    acme.loopWait = 2;
    acme.retryTimeout = 3;
    plan.clusters.push_back(acme);
    plan.speed = 5;
    return plan;
}

class Program
{
public:
    explicit Program(bool readOnly = false, const simulator::Plan &plan = quickPlan())
        : simulator(plan)
    {
        QString error;
        ok = simulator.start(&error);
        QFile file(folder.filePath(u"kubeconfig"_s));
        ok = ok && file.open(QIODevice::WriteOnly) && file.write(simulator.kubeconfig().toUtf8()) > 0;
        file.close();
        options.kubeconfig = file.fileName();
        options.readOnly = readOnly;
        options.archive = folder.filePath(u"archive.sqlite"_s);
        desktop = std::make_unique<desktop::Desktop>(options);
        QFile::remove(desktop->auditPath());
        desktop->start();
    }

    const patroni::Cluster *cluster() const
    {
        const auto all = desktop->monitor()->store().clusters();
        return all.empty() ? nullptr : all.front();
    }
    LockState lock() const { return cluster() ? cluster()->lock.state : LockState::Absent; }
    std::string leader() const { return cluster() ? cluster()->leaderName.value_or("") : ""; }
    std::string replica() const
    {
        for (const auto &member : cluster()->members) {
            if (member.record.name != leader())
                return member.record.name;
        }
        return {};
    }
    std::optional<Outcome> outcome() const
    {
        return cluster() && !cluster()->requests.empty() ? std::optional(cluster()->requests.back().outcome) : std::nullopt;
    }
    // The visible button whose text, without mnemonics, begins so.
    QAbstractButton *button(QWidget *in, const QString &text) const
    {
        for (QAbstractButton *b : in->findChildren<QAbstractButton *>()) {
            if (b->isVisible() && b->text().remove(u'&').startsWith(text))
                return b;
        }
        return nullptr;
    }
    template<class Dialog>
    Dialog *dialog() const
    {
        for (Dialog *d : desktop->window()->findChildren<Dialog *>()) {
            if (d->isVisible())
                return d;
        }
        return nullptr;
    }
    void openClusterPage()
    {
        const auto tables = desktop->window()->findChildren<QTableView *>();
        for (QTableView *table : tables) {
            if (table->isVisible() && table->model() && table->model()->rowCount() > 0) {
                const QRect cell = table->visualRect(table->model()->index(0, 0));
                QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
                QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell.center());
                return;
            }
        }
    }
    QList<QJsonObject> audit() const
    {
        QFile file(desktop->auditPath());
        QList<QJsonObject> lines;
        if (file.open(QIODevice::ReadOnly)) {
            while (!file.atEnd())
                lines.append(QJsonDocument::fromJson(file.readLine()).object());
        }
        return lines;
    }

    QTemporaryDir folder;
    simulator::Simulator simulator;
    desktop::DesktopOptions options;
    std::unique_ptr<desktop::Desktop> desktop;
    bool ok = false;
};

inline void click(QAbstractButton *button)
{
    QTest::mouseClick(button, Qt::LeftButton, {}, button->rect().center());
}

// Chooses the candidate by its row and goes on to the confirmation.
inline void chooseCandidate(views::ChooseDialog *dialog, const QString &member)
{
    auto *table = dialog->findChild<QTableWidget *>();
    QVERIFY(table);
    for (int row = 0; row < table->rowCount(); ++row) {
        for (int column = 0; column < table->columnCount(); ++column) {
            const QTableWidgetItem *item = table->item(row, column);
            if (item && item->text() == member) {
                QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(item).center());
                QTRY_COMPARE(dialog->wish().candidate, std::optional(member.toStdString()));
                return;
            }
        }
    }
    QFAIL("the candidate is not in the table");
}

} // namespace switchyard::made
