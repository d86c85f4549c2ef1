using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Foreign;

/// <summary>
/// Reads records of MQTTLoader: a line for each message that was sent (<c>TIME,CLIENT,S,</c>), and one for each that
/// was received (<c>TIME,CLIENT,R,LATENCY</c>). Older versions count milliseconds, newer ones microseconds.
/// </summary>
internal static partial class MqttLoaderLog
{
    private const int Client = 1;
    private const int Event = 2;
    private const int Latency = 3;

    // Microseconds since 1970 exceed it from 1973 on, milliseconds until the year 5138 do not.
    private const long LeastMicroseconds = 100_000_000_000_000;

    /// <summary>Whether a first line is one of such a file, which has no header.</summary>
    public static bool IsRecord(string line) => Record().IsMatch(line);

    /// <summary>Reads a file.</summary>
    /// <exception cref="InputException">It cannot be read; the message says where.</exception>
    public static ForeignLog Read(string path)
    {
        using var table = new CsvTable(path, hasHeader: false);
        var isMicroseconds =
            long.Parse(CsvTable.FirstLine(path).Split(',')[0], CultureInfo.InvariantCulture) >= LeastMicroseconds;
        var unit = isMicroseconds ? 1000 : 1_000_000;
        var log = new ForeignLog(
            "MQTTLoader",
            "from sending to the last delivery; acknowledgements are not in it",
            unit
        );
        var (sent, received) = Lines(table, unit, log);
        table.RequireRight();
        foreach (var (time, client, place) in sent)
            log.Exchanges.Add(Published(time, client, received.GetValueOrDefault((time, place))));
        var known = sent.Select(line => (line.Time, line.Place)).ToHashSet();
        foreach (var delivery in received.Where(delivery => !known.Contains(delivery.Key)))
        {
            for (var i = 0; i < delivery.Value.Count; i++)
                log.Skip("deliveries whose sending is not in the log");
        }
        log.Missing.Add("connects and subscriptions: the model cannot predict them");
        log.Missing.Add("topics, sizes and QoS: the log has QoS 0 and size 0");
        return log;
    }

    private static ForeignExchange Published(long time, string client, (long Last, int Count) deliveries) =>
        new()
        {
            Kind = MessageKind.Publish,
            Client = client,
            Sent = time,
            // Without a delivery, nobody knows whether the message was lost or came later.
            End = deliveries.Count > 0 ? deliveries.Last : null,
            EndsWithDelivery = true,
            Topic = "",
            Qos = QualityOfService.AtMostOnce,
            Receivers = deliveries.Count,
        };

    // A delivery belongs to the message that was sent so long before. Among messages of the same time, each receiver
    // gets one after the other.
    private static (
        List<(long Time, string Client, int Place)> Sent,
        Dictionary<(long Time, int Place), (long Last, int Count)> Received
    ) Lines(CsvTable table, int unit, ForeignLog log)
    {
        var sent = new List<(long Time, string Client, int Place)>();
        var received = new Dictionary<(long Time, int Place), (long Last, int Count)>();
        var places = new Dictionary<(long Time, string Receiver), int>();
        var most = long.MaxValue / 2 / unit;
        var subscribers = new HashSet<string>(StringComparer.Ordinal);
        while (table.Read())
        {
            var time = table.Integer(0, "1 (time)", most, "milliseconds or microseconds since 1970") * unit;
            var (client, what) = (table.Text(Client), table.Text(Event));
            switch (what)
            {
                case "S":
                    sent.Add((time, client, Next(time, "")));
                    break;
                case "R":
                    var latency = table.Integer(Latency, "4 (latency)", most, "an integer, at least 0") * unit;
                    subscribers.Add(client);
                    ref var deliveries = ref CollectionsMarshal.GetValueRefOrAddDefault(
                        received,
                        (time - latency, Next(time - latency, client)),
                        out _
                    );
                    deliveries = (Math.Max(deliveries.Last, time), deliveries.Count + 1);
                    break;
                case "" when client.Length == 0:
                    // The first line of newer versions has the beginning of the measurement only.
                    break;
                default:
                    table.Wrong(Event, "3 (event)", "S for sent, or R for received");
                    break;
            }
        }
        log.Subscribers.AddRange(subscribers);
        return (sent, received);

        int Next(long time, string receiver) =>
            CollectionsMarshal.GetValueRefOrAddDefault(places, (time, receiver), out _)++;
    }

    [GeneratedRegex(@"^[0-9]{13,16},([^,]+,(S,?|R,[0-9]+)|,,)$")]
    private static partial Regex Record();
}
