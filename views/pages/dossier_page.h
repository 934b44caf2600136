// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One transition of the open cluster with all that is known of it. The text comes from whoever composes the window.
#include "models/patroni/cluster.h"

#include <QWidget>

#include <memory>

namespace switchyard::views {

// Which transition: its id, or where it has none, "#" and its place in the log.
QString transitionName(const patroni::Cluster &cluster, std::size_t index);
// nullopt: it is not in the log (any more). Empty: the newest.
std::optional<std::size_t> findTransition(const patroni::Cluster &cluster, const QString &name);

class DossierPage : public QWidget
{
    Q_OBJECT
public:
    explicit DossierPage(QWidget *parent = nullptr);
    ~DossierPage() override;

    void setCluster(const patroni::Cluster &cluster, Now now);
    void setGone();
    void clear();
    void choose(const QString &transition); // empty: the newest
    // What is to be shown of it: rich text without colours.
    void setText(const QString &transition, const QString &html);

Q_SIGNALS:
    void wanted(const QString &transition); // answered with setText()
    void copyRequested(const QString &transition);
    void saveRequested(const QString &transition, const QString &format, const QString &file); // md html json

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
