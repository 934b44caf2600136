// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/colors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace switchyard::views {

using namespace patroni;

namespace {

constexpr double readable = 4.5;
constexpr std::size_t toneCount = 8;
constexpr std::array<QRgb, toneCount> lightTones{0xff1a7f37, 0xff9a6700, 0xffcf222e, 0xff656d76,
                                                 0xff8250df, 0xff0969da, 0xff1f2328, 0xff656d76};
constexpr std::array<QRgb, toneCount> darkTones{0xff4ac26b, 0xffd4a72c, 0xffff7b72, 0xff8b949e,
                                                0xffb794f4, 0xff58a6ff, 0xffe6edf3, 0xff8b949e};

double channel(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &c)
{
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

QColor mix(const QColor &a, const QColor &b, double share)
{
    const auto part = [share](float x, float y) { return static_cast<float>(share * double(x) + (1 - share) * double(y)); };
    return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()), part(a.blueF(), b.blueF()));
}

} // namespace

Tone toneOf(Health h)
{
    switch (h) {
    case Health::Healthy: return Tone::Good;
    case Health::Degraded: return Tone::Warning;
    case Health::Unhealthy: return Tone::Bad;
    case Health::Unknown: break;
    }
    return Tone::Unknown;
}

Tone toneOf(LockState s, bool late)
{
    switch (s) {
    case LockState::Held: return late ? Tone::Warning : Tone::Good;
    case LockState::Unverified: return late ? Tone::Warning : Tone::Unknown;
    case LockState::Released: return Tone::Warning;
    case LockState::Absent:
    case LockState::Expired: return Tone::Bad;
    case LockState::Stale: break;
    }
    return Tone::Unknown;
}

Tone toneOf(Freshness f)
{
    switch (f) {
    case Freshness::Live: return Tone::Good;
    case Freshness::Forbidden: return Tone::Bad;
    case Freshness::Connecting:
    case Freshness::Stale: break;
    }
    return Tone::Unknown;
}

Tone toneOf(Outcome o)
{
    switch (o) {
    case Outcome::Pending:
    case Outcome::NotPickedUp:
    case Outcome::DoneOther:
    case Outcome::TakenBack: return Tone::Warning;
    case Outcome::KeptWhilePaused: return Tone::Paused;
    case Outcome::Outage:
    case Outcome::Refused: return Tone::Bad;
    case Outcome::Done: return Tone::Good;
    case Outcome::Erased:
    case Outcome::Superseded:
    case Outcome::Cancelled: break;
    }
    return Tone::Neutral;
}

Tone toneOf(const Member &member)
{
    if (member.role == Role::Leader || member.role == Role::StandbyLeader)
        return Tone::Leader;
    if (!member.record.reported && !member.record.pod.phase)
        return Tone::Unknown;
    if (!member.up)
        return Tone::Bad;
    return member.oldTimeline ? Tone::Warning : Tone::Good;
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QColor toneColor(Tone tone, const QPalette &palette)
{
    const auto i = static_cast<std::size_t>(tone);
    return QColor::fromRgb((isDark(palette) ? darkTones : lightTones)[i]);
}

QColor accentColor(const QPalette &palette)
{
    return toneColor(Tone::Leader, palette);
}

QColor secondaryText(const QPalette &palette)
{
    return QColor::fromRgb(isDark(palette) ? 0xff9da7b3 : 0xff59636e);
}

QColor hairline(const QPalette &palette)
{
    return QColor::fromRgb(isDark(palette) ? 0xff30363d : 0xffd8dee4);
}

QColor cardGround(const QPalette &palette)
{
    return palette.color(QPalette::Base);
}

QColor badgeGround(Tone tone, const QPalette &palette)
{
    return mix(toneColor(tone, palette), palette.color(QPalette::Window), isDark(palette) ? 0.16 : 0.10);
}

double contrastRatio(const QColor &a, const QColor &b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor dimmed(const QColor &color, const QColor &ground)
{
    double share = 0.6;
    QColor result = mix(color, ground, share);
    while (share < 1 && contrastRatio(result, ground) < readable) {
        share = std::min(1.0, share + 0.02);
        result = mix(color, ground, share);
    }
    return result;
}

QColor readableOn(const QColor &color, const QColor &ground, const QColor &text)
{
    QColor result = color;
    for (double share = 1; share > 0 && contrastRatio(result, ground) < readable; share -= 0.05)
        result = mix(color, text, share);
    return result;
}

} // namespace switchyard::views
