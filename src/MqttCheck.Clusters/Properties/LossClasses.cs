using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Properties;

/// <summary>
/// The places of lost messages among those of their publisher to their subscriber. A store that forgets its newest
/// entries loses the end, and a session that begins too late loses the beginning.
/// </summary>
/// <param name="Beginning">Lost before the first one that came.</param>
/// <param name="Middle">Lost between two that came.</param>
/// <param name="End">Lost after the last one that came.</param>
/// <param name="Whole">Lost where none came at all.</param>
/// <param name="ReachedOthers">How many of all these came to another subscriber.</param>
/// <param name="Recovered">Messages of QoS 1 or 2 that came though their publisher got no acknowledgement.</param>
internal readonly record struct LossClasses(
    long Beginning,
    long Middle,
    long End,
    long Whole,
    long ReachedOthers,
    long Recovered
)
{
    /// <summary>Counts them.</summary>
    /// <param name="pairs">Publications with those who subscribed, in the order of publication.</param>
    internal static LossClasses Of(IReadOnlyList<DeliveryPair> pairs)
    {
        var classes = default(LossClasses);
        var came = pairs.Where(pair => pair.Deliveries > 0).Select(pair => pair.Message).ToHashSet();
        foreach (var stream in pairs.GroupBy(pair => (pair.Publisher, pair.Subscriber)))
        {
            var ordered = stream.ToList();
            var first = ordered.FindIndex(pair => pair.Deliveries > 0);
            var last = ordered.FindLastIndex(pair => pair.Deliveries > 0);
            for (var place = 0; place < ordered.Count; place++)
            {
                var pair = ordered[place];
                if (pair is { Qos: > 0, IsAcknowledged: false, Deliveries: > 0 })
                    classes = classes with { Recovered = classes.Recovered + 1 };
                if (!pair.IsLost)
                    continue;
                classes =
                    first < 0 ? classes with { Whole = classes.Whole + 1 }
                    : place < first ? classes with { Beginning = classes.Beginning + 1 }
                    : place > last ? classes with { End = classes.End + 1 }
                    : classes with { Middle = classes.Middle + 1 };
                if (came.Contains(pair.Message))
                    classes = classes with { ReachedOthers = classes.ReachedOthers + 1 };
            }
        }
        return classes;
    }
}
