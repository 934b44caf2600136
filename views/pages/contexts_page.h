// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All contexts of the kubeconfig: which are open and how they are doing; opening, closing and marking them.
#include "models/items/contexts_model.h"

#include <QWidget>

#include <memory>

class QAction;
class QTableView;

namespace switchyard::views {

class ContextsPage : public QWidget
{
    Q_OBJECT
public:
    explicit ContextsPage(items::ContextsModel *contexts, QWidget *parent = nullptr);
    ~ContextsPage() override;
    void setNotice(const QString &text); // no kubeconfig, unreadable file ... and the next step
    void setFixed(bool fixed);           // a recording: nothing to open or close
    void tick(Now now);
    void focusFilter();
    void focusTable();
    QTableView *table() const;
    QStringList chosen() const; // names of the selected contexts
    // Sort order and splitter; the filter starts empty, so that nothing is missed.
    QByteArray saveState() const;
    void restoreState(const QByteArray &state); // of another version: nothing happens

Q_SIGNALS:
    void openRequested(const QStringList &contexts);
    void closeRequested(const QStringList &contexts);
    void againRequested(const QStringList &contexts);                                  // connect again, and ask again what was refused
    void clustersRequested(const QString &context);                                    // show its clusters
    void namespacesChosen(const QStringList &contexts, const QStringList &namespaces); // empty: the context's own; "": all
    void favouriteChosen(const QStringList &contexts, bool favourite);
    void aliasChosen(const QString &context, const QString &alias);
    void colourChosen(const QStringList &contexts, const QString &colour);
    void readOnlyChosen(const QStringList &contexts, bool readOnly);
    void protectedChosen(const QStringList &contexts, bool isProtected);

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
