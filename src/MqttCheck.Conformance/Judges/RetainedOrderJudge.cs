using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Whether some order of the publications to a topic explains which retained messages all subscriptions brought.
/// </summary>
/// <remarks>
/// Payloads are all different, so it is known which write a read brings. A read forces an interval on the value that it
/// brings, its forward zone. A value that was not read after it was written has a backward zone instead. An order
/// exists if and only if no two forward zones overlap, and no forward zone contains a backward one. This criterion is
/// from Gibbons and Korach, Testing shared memories, SIAM J. Comput. 26 (4), 1997. It concerns histories in which each
/// read is mapped to its write. No read ends before its write begins, for any delivery. A publication that was sent
/// again may take effect again, so it is left out.
/// </remarks>
internal sealed class RetainedOrderJudge(Judgements judgements) : Judge(judgements)
{
    /// <summary>A subscription that was asked for at an entry has brought a retained message.</summary>
    public void Read(ClientSession session, List<RetainedWrite> writes, RetainedWrite written, int start)
    {
        written.Reads.Add((start, Now));
        Check(Statements.RetainKept);
        if (written.Publication.IsIrregular || Assumes(AssumedFaults.StoredStays))
            return;
        var zone = ZoneOf(written);
        foreach (
            var other in writes
                .Where(other => other != written && !other.Publication.IsIrregular && !other.Publication.IsRejected)
                .Where(other => Contradicts(zone, ZoneOf(other)))
        )
        {
            Deviate(
                Statements.RetainKept,
                "no order of the publications explains what subscriptions brought",
                $"{session.Name} gets retained {written.Publication}; together with what other subscriptions brought "
                    + $"of {other.Publication}, "
                    + $"no order of the publications to {written.Publication.Topic} explains it",
                mustRecur: written.IsOfQos0 || other.IsOfQos0
            );
            return;
        }
    }

    private static bool Contradicts(Zone zone, Zone other) =>
        (zone.IsForced, other.IsForced) switch
        {
            (true, true) => zone.Low < other.High && other.Low < zone.High,
            (true, false) => zone.Low < other.Low && other.High < zone.High,
            (false, true) => other.Low < zone.Low && zone.High < other.High,
            _ => false,
        };

    // A forward zone lasts from the first moment at which the value was there to the last one. Without reads it is the
    // time of the write.
    private static Zone ZoneOf(RetainedWrite write)
    {
        var (firstEnd, lastStart) = (write.End ?? int.MaxValue, write.Start);
        foreach (var (start, end) in write.Reads)
            (firstEnd, lastStart) = (Math.Min(firstEnd, end), Math.Max(lastStart, start));
        return firstEnd < lastStart ? new(firstEnd, lastStart, true) : new(lastStart, firstEnd, false);
    }

    private readonly record struct Zone(int Low, int High, bool IsForced);
}
