using System.Globalization;
using System.Text;
using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Foreign;

/// <summary>Reads fields of MQTT packets that tshark printed, one line for each frame.</summary>
/// <remarks>A frame may hold several packets: their fields are lists then, with an identifier for each that has one.
/// </remarks>
internal sealed class TsharkFields
{
    private const string Time = "frame.time_epoch";
    private const string Stream = "tcp.stream";
    private const string Source = "tcp.srcport";
    private const string Types = "mqtt.msgtype";
    private const string Identifiers = "mqtt.msgid";

    private readonly Dictionary<(string Stream, PacketType Answer, int Identifier), int> _open = [];
    private readonly Dictionary<string, string> _clients = new(StringComparer.Ordinal);
    private readonly ForeignLog _log = new(
        "tshark fields",
        "from the packet of a request to that of its answer, where tshark saw them",
        1000
    );

    private TsharkFields() { }

    /// <summary>Whether a first line is the header of such a file.</summary>
    public static bool IsHeader(string line) => line.Contains(Types, StringComparison.Ordinal);

    /// <summary>Reads a file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="ports">The ports of the broker; empty for those that answer.</param>
    /// <exception cref="InputException">It cannot be read; the message says where and what to do.</exception>
    public static ForeignLog Read(string path, IReadOnlyCollection<int> ports)
    {
        var frames = Frames(path);
        var brokers = ports.Count > 0 ? [.. ports] : BrokersOf(frames);
        if (brokers.Count == 0)
            throw new InputException(
                $"{path}: no answer of a broker in {frames.Count} frames (CONNACK, SUBACK, PUBACK), so nobody can tell "
                    + "its side; allowed: with --port N, the port of the broker"
            );
        var reader = new TsharkFields();
        foreach (var frame in frames)
            reader.Add(frame, brokers.Contains(frame.Port));
        reader._log.MissDeliveries();
        reader._log.Missing.Add("ends of connections: the model cannot predict a disconnect");
        return reader._log;
    }

    // Types that a broker alone sends.
    private static HashSet<int> BrokersOf(List<Frame> frames) =>
        [
            .. frames
                .Where(frame =>
                    frame.Types.Exists(type =>
                        type is PacketType.Connack or PacketType.Suback or PacketType.Unsuback or PacketType.Pingresp
                    )
                )
                .Select(frame => frame.Port),
        ];

    private static List<Frame> Frames(string path)
    {
        const string fields = "next: tshark -T fields -E header=y with -e for each field";
        using var table = new CsvTable(path, hasHeader: true);
        var (time, stream) = (table.Require(Time, fields), table.Require(Stream, fields));
        var (source, types) = (table.Require(Source, fields), table.Require(Types, fields));
        var (identifiers, qos) = (table.Require(Identifiers, fields), table.Require("mqtt.qos", fields));
        var (topic, length, client) = (table.Find("mqtt.topic"), table.Find("mqtt.len"), table.Find("mqtt.clientid"));
        var frames = new List<Frame>();
        while (table.Read())
        {
            if (table.Text(types).Length == 0)
                continue;
            frames.Add(
                new(
                    Nanoseconds(table, time),
                    table.Text(stream),
                    (int)table.Integer(source, Source, ushort.MaxValue, "1 .. 65535"),
                    [.. Integers(table, types, Types, 1, 15).Select(type => (PacketType)type)],
                    Integers(table, identifiers, Identifiers, 0, ushort.MaxValue),
                    Integers(table, qos, "mqtt.qos", 0, 2),
                    table.Text(topic).Split(',', StringSplitOptions.RemoveEmptyEntries),
                    length < 0 ? [] : Integers(table, length, "mqtt.len", 0, int.MaxValue),
                    table.Text(client)
                )
            );
        }
        table.RequireRight();
        return frames;
    }

    private void Add(Frame frame, bool isFromBroker)
    {
        if (frame.Client.Length > 0)
            _clients[frame.Stream] = frame.Client;
        var (identifier, publication) = (0, 0);
        for (var i = 0; i < frame.Types.Count; i++)
        {
            var type = frame.Types[i];
            var qos = type == PacketType.Publish ? frame.Qos.ElementAtOrDefault(publication++) : 0;
            var hasIdentifier = type is >= PacketType.Puback and <= PacketType.Unsuback || qos > 0;
            if (hasIdentifier && identifier == frame.Identifiers.Count)
            {
                _log.Skip("packets without an identifier that tshark could read");
                continue;
            }
            var number = hasIdentifier ? frame.Identifiers[identifier++] : 0;
            if (isFromBroker)
                Answer(frame, type, number);
            else
                Request(frame, i, (type, number), (QualityOfService)qos);
        }
    }

    private void Request(Frame frame, int place, (PacketType Type, int Identifier) packet, QualityOfService qos)
    {
        (MessageKind Kind, PacketType Answer)? awaited = packet.Type switch
        {
            PacketType.Connect => (MessageKind.Connect, PacketType.Connack),
            PacketType.Subscribe => (MessageKind.Subscribe, PacketType.Suback),
            PacketType.Unsubscribe => (MessageKind.Unsubscribe, PacketType.Unsuback),
            PacketType.Publish when qos == QualityOfService.AtLeastOnce => (MessageKind.Publish, PacketType.Puback),
            PacketType.Publish when qos == QualityOfService.ExactlyOnce => (MessageKind.Publish, PacketType.Pubcomp),
            _ => null,
        };
        if (awaited is not { } kind)
        {
            if (packet.Type == PacketType.Publish)
                _log.Skip("publications at QoS 0, which nobody acknowledges");
            else if (packet.Type == PacketType.Disconnect)
                _log.Skip("disconnects, whose end is not among the fields");
            return;
        }
        // A topic belongs to a packet if each of the frame has one.
        var topic = frame.Topics.Length == frame.Types.Count ? frame.Topics[place] : "";
        var length = frame.Lengths.Count == frame.Types.Count ? frame.Lengths[place] : 0;
        _open[(frame.Stream, kind.Answer, packet.Identifier)] = _log.Exchanges.Count;
        _log.Exchanges.Add(
            new()
            {
                Kind = kind.Kind,
                Client = _clients.GetValueOrDefault(frame.Stream, $"stream {frame.Stream}"),
                Sent = frame.Nanoseconds,
                Topic = kind.Kind == MessageKind.Connect ? "" : topic,
                Size =
                    kind.Kind == MessageKind.Publish && topic.Length > 0
                        ? Math.Max(0, length - Encoding.UTF8.GetByteCount(topic) - 4)
                        : 0,
                Qos = qos,
            }
        );
    }

    private void Answer(Frame frame, PacketType type, int identifier)
    {
        if (_open.Remove((frame.Stream, type, identifier), out var index))
            _log.Exchanges[index] = _log.Exchanges[index] with { End = frame.Nanoseconds };
        else if (
            type
            is PacketType.Connack
                or PacketType.Suback
                or PacketType.Unsuback
                or PacketType.Puback
                or PacketType.Pubcomp
        )
            _log.Skip("answers whose request is not in the file");
    }

    private static long Nanoseconds(CsvTable table, int column)
    {
        if (
            decimal.TryParse(
                table.Text(column),
                NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture,
                out var seconds
            )
            && seconds < long.MaxValue / 1_000_000_000
        )
            return (long)(seconds * 1_000_000_000);
        table.Wrong(column, Time, "seconds since 1970, such as 1795922785.961595666");
        return 0;
    }

    private static List<int> Integers(CsvTable table, int column, string name, int least, int most)
    {
        var numbers = new List<int>();
        foreach (var part in table.Text(column).Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            if (
                int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                && number >= least
                && number <= most
            )
                numbers.Add(number);
            else
                table.Wrong(column, name, $"integers, {least} .. {most}, separated by commas");
        }
        return numbers;
    }

    private sealed record Frame(
        long Nanoseconds,
        string Stream,
        int Port,
        List<PacketType> Types,
        List<int> Identifiers,
        List<int> Qos,
        string[] Topics,
        List<int> Lengths,
        string Client
    );
}
