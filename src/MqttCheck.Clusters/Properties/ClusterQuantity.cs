namespace MqttCheck.Clusters.Properties;

/// <summary>A quantity that is measured in a run: its name in properties, its value and its bound.</summary>
internal sealed class ClusterQuantity
{
    /// <summary>The suffix of a quantity that is divided by the number of publications.</summary>
    internal const string PerPublication = "per publication";

    private ClusterQuantity(string name, Func<ClusterOutcome, double?> value) => (Name, Value) = (name, value);

    /// <summary>The time from a publication to each settled delivery.</summary>
    public static ClusterQuantity Delivery { get; } = OfTimes("delivery", of => of.DeliveryMilliseconds);

    /// <summary>Acknowledged messages that never reached a settled subscriber, near faults too.</summary>
    public static ClusterQuantity Lost { get; } = new("lost", of => of.Lost) { Bound = Deliveries };

    /// <summary>The same without those near a fault.</summary>
    public static ClusterQuantity LostSettled { get; } =
        new("lost settled", of => of.LostSettled) { Bound = Deliveries };

    /// <summary>
    /// Deliveries that were owed and had not come when the run ended, acknowledged or not, of any QoS.
    /// </summary>
    public static ClusterQuantity UndeliveredAtEnd { get; } =
        new("undelivered at the end", of => of.UndeliveredAtEnd) { Bound = Deliveries };

    /// <summary>Deliveries of a message to a client beyond the first.</summary>
    public static ClusterQuantity Duplicates { get; } = new("duplicates", of => of.Duplicates);

    /// <summary>Messages that came after a later one of their publisher, topic and QoS.</summary>
    public static ClusterQuantity Reordered { get; } = new("reordered", of => of.Reordered) { Bound = Deliveries };

    /// <summary>Publications near which a subscription began or ended.</summary>
    public static ClusterQuantity Racing { get; } = new("racing", of => of.Racing) { Bound = Deliveries };

    /// <summary>The longest time from a fault until all live pairs of nodes worked again.</summary>
    public static ClusterQuantity Repair { get; } = OfProbes("repair", of => of.RepairMilliseconds);

    /// <summary>
    /// The longest time from a fault until all live nodes agree on a root and their parents lead to it, in the tree of
    /// all and in that of each topic.
    /// </summary>
    public static ClusterQuantity Convergence { get; } =
        new("convergence", of => of.ConvergenceMilliseconds) { IsDuration = true, Bound = WholeRun };

    /// <summary>The longest time that a live pair of nodes was without a working probe.</summary>
    public static ClusterQuantity Blackout { get; } = OfProbes("blackout", of => of.BlackoutMilliseconds);

    /// <summary>Messages of clients that entered links.</summary>
    public static ClusterQuantity LinkMessages { get; } = new("link messages", of => of.LinkMessages);

    /// <summary>Bytes that entered links.</summary>
    public static ClusterQuantity LinkBytes { get; } = new("link bytes", of => of.LinkBytes);

    /// <summary>Bytes of what nodes tell each other.</summary>
    public static ClusterQuantity SignallingBytes { get; } = new("signalling bytes", of => of.SignallingBytes);

    /// <summary>Messages that entered a link again.</summary>
    public static ClusterQuantity Retransmitted { get; } = new("retransmitted", of => of.Retransmitted);

    /// <summary>
    /// The time from the last publication to the last delivery; infinite if a message is missing then that a broker has
    /// to deliver.
    /// </summary>
    public static ClusterQuantity CaughtUp { get; } =
        new("caught up", of => of.CaughtUpMilliseconds) { IsDuration = true, Bound = WholeRun };

    /// <summary>
    /// Publications within the settling time of the first on their topic at their node that a settled subscriber never
    /// got: the way to it was not known yet.
    /// </summary>
    public static ClusterQuantity RaceLosses { get; } =
        new("race losses", of => of.RaceLosses) { Bound = (_, publications) => publications };

    /// <summary>Deliveries in a second, from the first publication to the last.</summary>
    public static ClusterQuantity Throughput { get; } = new("throughput", of => of.Throughput);

    /// <summary>The time from a publication of QoS 1 or 2 to its acknowledgement; infinite without one.</summary>
    public static ClusterQuantity Acknowledgement { get; } =
        OfTimes("acknowledgement", of => of.AcknowledgementMilliseconds);

    /// <summary>All quantities, in the order of messages.</summary>
    internal static IReadOnlyList<ClusterQuantity> All { get; } =
    [
        Delivery,
        Lost,
        LostSettled,
        UndeliveredAtEnd,
        Duplicates,
        Reordered,
        Racing,
        Repair,
        Convergence,
        Blackout,
        LinkMessages,
        LinkBytes,
        SignallingBytes,
        Retransmitted,
        CaughtUp,
        RaceLosses,
        Throughput,
        Acknowledgement,
    ];

    /// <summary>Its name in properties.</summary>
    public string Name { get; }

    /// <summary>Whether its values are times.</summary>
    public bool IsDuration { get; private init; }

    /// <summary>Whether only probes know it.</summary>
    internal bool NeedsProbes { get; private init; }

    /// <summary>The values of a run, in milliseconds, if it has one for each message.</summary>
    internal Func<ClusterOutcome, IReadOnlyList<double>>? Times { get; private init; }

    /// <summary>The value of a run (times in milliseconds, the longest of messages); null if not known.</summary>
    internal Func<ClusterOutcome, double?> Value { get; }

    /// <summary>
    /// The largest value that a run can have, in milliseconds for times, by the limits of a run and its publications;
    /// the smallest is 0. Null where nothing bounds it: repeats may go on, and a machine may be as fast as it likes. A
    /// time whose end a run does not see counts as the longest one.
    /// </summary>
    internal Func<RunLimits, double?, double?> Bound { get; private init; } = (_, _) => null;

    private static Func<RunLimits, double?, double?> Deliveries =>
        (limits, publications) => publications * limits.Receivers;

    private static Func<RunLimits, double?, double?> WholeRun => (limits, _) => limits.Milliseconds;

    private static ClusterQuantity OfTimes(string name, Func<ClusterOutcome, IReadOnlyList<double>> times) =>
        new(name, of => times(of) is { Count: > 0 } known ? known.Max() : null)
        {
            IsDuration = true,
            Times = times,
            Bound = WholeRun,
        };

    private static ClusterQuantity OfProbes(string name, Func<ClusterOutcome, double?> value) =>
        new(name, value)
        {
            IsDuration = true,
            NeedsProbes = true,
            Bound = (limits, _) => limits.ProbedMilliseconds,
        };
}
