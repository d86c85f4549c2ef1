using System.Globalization;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>Message expiry: the interval is counted down, and what has expired does not come.</summary>
internal sealed class ExpiryJudge(Judgements judgements) : Judge(judgements)
{
    // A broker may count whole seconds only.
    private const long GraceNanoseconds = 1_500_000_000;

    /// <summary>A wait is over: messages may have expired.</summary>
    public void Waited()
    {
        foreach (var publication in Run.Publications)
        {
            if (publication is not { MayExpire: true, IsWill: false, ExpirySeconds: { } seconds })
                continue;
            if (NowNanoseconds - Run.Trace[publication.SentAt].Nanoseconds >= seconds * SecondNanoseconds)
                Check(Statements.Expired);
        }
    }

    /// <summary>A message comes: its interval must be the published one less the time that it waited.</summary>
    public void JudgeInterval(ClientSession session, PublishPacket delivery, Publication publication)
    {
        if (!IsV5 || publication.ExpirySeconds is not { } published)
            return;
        Check(Statements.MessageExpiry);
        var waited = publication.ReceivedAt is { } received
            ? (NowNanoseconds - Run.Trace[received].Nanoseconds) / SecondNanoseconds
            : 0;
        if (waited > published)
            return;
        var longest = (NowNanoseconds - Run.Trace[EarliestAt(publication)].Nanoseconds) / SecondNanoseconds;
        var left = delivery.Properties.MessageExpiryIntervalSeconds;
        if (left <= published - Math.Max(0, waited - 1) && left + longest + 2 >= published)
            return;
        Deviate(
            Statements.MessageExpiry,
            left is null ? "missing" : "other value",
            $"{session.Name} gets {publication} with expiry interval "
                + $"{left?.ToString(CultureInfo.InvariantCulture) ?? "none"} "
                + $"after {waited} s; published: {published}"
        );
    }

    // "... and is sent as the Publication Expiry Interval when the Server publishes the Will Message" (section
    // 3.1.3.2.4). It does so at some time after CONNECT.
    private int EarliestAt(Publication publication) =>
        publication.IsWill
            ? Run.Connections.Values.First(connection => connection.Will == publication).ConnectAt
            : publication.SentAt;

    /// <summary>A message comes for the first time: it must not have expired.</summary>
    /// <param name="session">Who gets it.</param>
    /// <param name="publication">The message.</param>
    /// <param name="how">How it came.</param>
    public void JudgeExpired(ClientSession session, Publication publication, string how)
    {
        if (!publication.MayExpire || publication.IsWill)
            return;
        if (publication.ReceivedAt is not { } received)
            return;
        var waited = NowNanoseconds - Run.Trace[received].Nanoseconds;
        if (waited < (publication.ExpirySeconds * SecondNanoseconds) + GraceNanoseconds)
            return;
        Check(Statements.Expired);
        Deviate(
            Statements.Expired,
            how,
            string.Create(
                CultureInfo.InvariantCulture,
                $"{session.Name} gets {publication} {waited / 1e9:0.0} s after it was published; "
            ) + $"it expires after {publication.ExpirySeconds} s"
        );
    }
}
