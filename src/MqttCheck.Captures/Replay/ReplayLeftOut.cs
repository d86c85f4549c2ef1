namespace MqttCheck.Captures.Replay;

/// <summary>Counts what a capture shows and a replay does not send.</summary>
internal sealed class ReplayLeftOut
{
    /// <summary>Wills, which are not known whole.</summary>
    public long Wills { get; set; }

    /// <summary>Messages that were sent again.</summary>
    public long Redeliveries { get; set; }

    /// <summary>Subscriptions and messages on topics that a broker keeps to itself.</summary>
    public long OfBroker { get; set; }

    /// <summary>Pings and authentication.</summary>
    public long Pings { get; set; }

    /// <summary>Packets that are not whole, or break a rule.</summary>
    public long Unreadable { get; set; }

    /// <summary>Packets of connections that were not open any more.</summary>
    public long AfterEnd { get; set; }

    /// <summary>Everything that was left out, in words.</summary>
    public IEnumerable<(long Count, string What)> All =>
        new (long Count, string What)[]
        {
            (Wills, "wills"),
            (Redeliveries, "messages that were sent again"),
            (OfBroker, "subscriptions and messages on topics of the broker itself, such as $SYS"),
            (Pings, "pings and authentications"),
            (Unreadable, "packets that are not whole, or break a rule"),
            (AfterEnd, "packets of connections that had ended at this broker"),
        }.Where(one => one.Count > 0);
}
