using System.Text;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Populations;
using MqttCheck.Captures.Tcp;
using MqttCheck.Captures.Tls;
using MqttCheck.Logs;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;
using static System.FormattableString;

namespace MqttCheck.Captures.Logs;

/// <summary>Turns a capture into an exchange log, with the file beside it.</summary>
internal static class CaptureLog
{
    private const double ResolutionNanoseconds = 1000;

    /// <summary>Turns a capture into a log.</summary>
    /// <param name="request">The capture and the log.</param>
    /// <returns>The result.</returns>
    /// <exception cref="InputException">
    /// The file cannot be read, or holds no MQTT or that of several brokers; the message says what to do.
    /// </exception>
    public static CaptureSummary Write(CaptureRequest request)
    {
        try
        {
            return Turn(request);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            throw new InputException($"capture \"{request.Capture}\": {failure.Message}", failure);
        }
    }

    private static CaptureSummary Turn(CaptureRequest request)
    {
        var counts = new CaptureCounts();
        ExchangeBook book;
        var span = default(TimeRange);
        string? damage;
        using (var writer = new ExchangeLogWriter(request.Log))
        {
            try
            {
                var rows = new ExchangeRows(writer, ResolutionNanoseconds, counts);
                book = new ExchangeBook(rows, counts);
                damage = Read(request, book, rows, counts, out span);
                RequireOneBroker(request, book, counts);
            }
            catch
            {
                writer.Dispose();
                File.Delete(request.Log);
                throw;
            }
        }
        var point = ObservationPoint.Of(counts.Handshakes);
        RunInformationFile.Write(request.Log, InformationOn(request, book, counts, span, point));
        var names = NamesFile.PathOf(request.Log);
        NamesFile.Write(names, book.Names, request.KeepsNames);
        return new(
            request.Log,
            names,
            counts,
            span.Duration,
            book.Names.Clients.Count,
            book.Names.Topics.Count,
            point,
            damage,
            FoundPopulation.Of(book.Names, span.Duration.TotalSeconds, request.KeepsNames)
        );
    }

    private static string? Read(
        CaptureRequest request,
        ExchangeBook book,
        ExchangeRows rows,
        CaptureCounts counts,
        out TimeRange span
    )
    {
        var sides = new BrokerSides(request.Ports, [.. request.Addresses.Select(SocketKey.AddressOf)]);
        span = default;
        using var file = File.OpenRead(request.Capture);
        var reader = new CaptureFileReader(file, counts);
        using var decrypted = request.TlsKeys is { } keys ? TlsRecords.Open(request.Capture, keys) : null;
        var records = decrypted is null
            ? null
            : new DecryptedConversations(decrypted, (ends, beginning) => new(ends, beginning, sides, book, counts));
        var connections = new TcpConnections(
            (ends, beginning) =>
            {
                records?.Restart(ends);
                return new MqttConversation(ends, beginning, sides, book, counts)
                {
                    OnTlsClosed = records is null ? null : (side, when) => records.Close(ends, side, when),
                };
            },
            counts
        );
        var parser = new FrameParser(counts);
        while (reader.TryRead(out var frame))
        {
            if (!span.IsAny)
                rows.Zero = frame.Nanoseconds;
            span = span.With(frame.Nanoseconds);
            if (!parser.TryParse(frame, out var segment))
                continue;
            records?.ReadUntil(segment.Nanoseconds);
            connections.Add(segment);
        }
        connections.End();
        records?.ReadUntil(long.MaxValue);
        book.End();
        counts.Bytes = reader.Position;
        return reader.Damage;
    }

    private static void RequireOneBroker(CaptureRequest request, ExchangeBook book, CaptureCounts counts)
    {
        var name = $"capture \"{request.Capture}\"";
        if (book.Brokers.Count == 0)
            throw new InputException(
                counts.TlsConnections > 0
                    ? Invariant(
                        $"{name}: {counts.TlsConnections} connections are encrypted (TLS), and no MQTT is readable; "
                    )
                        + "allowed: with the keys of the sessions (--tls-keys FILE, which SSLKEYLOGFILE writes), "
                        + "or a capture behind the end of TLS"
                    : Invariant($"{name}: no MQTT in {counts.Frames} packets, {counts.Segments} of TCP; ")
                        + "allowed: a capture of a broker's traffic (--port says where it listens)"
            );
        var unnamed = request.Ports.Count + request.Addresses.Count == 0;
        if (book.Brokers.Count == 1 || !unnamed)
            return;
        var ends = book.Brokers.OrderByDescending(broker => broker.Value).Take(5);
        throw new InputException(
            $"{name}: {book.Brokers.Count} brokers: "
                + string.Join(", ", ends.Select(end => Invariant($"{end.Key} ({end.Value} connections)")))
                + "; allowed: one, which --port and --address choose; several of either are one broker"
        );
    }

    private static RunInformation InformationOn(
        CaptureRequest request,
        ExchangeBook book,
        CaptureCounts counts,
        TimeRange span,
        ObservationPoint point
    )
    {
        var version =
            book.Version is not { } known ? "mixed"
            : known >= ProtocolVersion.V5 ? "5"
            : "3.1.1";
        var started = span.Started;
        return new()
        {
            ToolVersion = request.ToolVersion,
            Seed = 0,
            Started = started,
            Broker = new(
                "captured",
                "unknown",
                "unknown",
                new Dictionary<string, string> { [LoggedBroker.VersionKey] = version }
            ),
            Machine = MachineInformation.Unknown,
            Engine = EngineOf(counts, point),
            Complete = true,
            Cases =
            [
                new()
                {
                    Run = 0,
                    Purpose = RunPurpose.Explore,
                    Clients = Math.Max(1, book.Names.Clients.Count),
                    Duration = span.Duration,
                    Started = started,
                    Ended = started + span.Duration,
                    Sessions = SessionsOf(book.Names),
                },
            ],
        };
    }

    private static Dictionary<string, string> EngineOf(CaptureCounts counts, ObservationPoint point)
    {
        var engine = new Dictionary<string, string>
        {
            ["source"] = "capture",
            ["observationPoint"] = point.Place,
            ["joinedConnections"] = Invariant($"{counts.Joined}"),
            ["exchangesWithoutKnownEnd"] = Invariant($"{counts.UnknownEnds}"),
        };
        if (!double.IsNaN(point.ToBrokerMicroseconds))
        {
            engine["toBrokerMicroseconds"] = Invariant($"{point.ToBrokerMicroseconds:0.#}");
            engine["toClientsMicroseconds"] = Invariant($"{point.ToClientsMicroseconds:0.#}");
        }
        var unused = string.Join("; ", counts.NotUsed.Select(one => Invariant($"{one.Count} {one.What}")));
        if (unused.Length > 0)
            engine["notUsed"] = unused;
        return engine;
    }

    private static ObservedSessions SessionsOf(SeenNames names) =>
        new()
        {
            Online = Numbers(names.Clients.Values.Where(client => client.IsJoined)),
            Clean = Numbers(names.Clients.Values.Where(client => client.IsAlwaysClean)),
            Subscriptions =
            [
                .. names
                    .Clients.Values.Where(client => client.Standing.Count > 0)
                    .OrderBy(client => client.Number)
                    .Select(client => new NumberedTopics(client.Number, [.. client.Standing.Order()])),
            ],
            Filters =
            [
                .. names
                    .Filters.OrderBy(pair => pair.Value)
                    .Select(pair => new NumberedTopics(pair.Value, TopicsOf(pair.Key, names))),
            ],
        };

    private static int[] Numbers(IEnumerable<Participant> clients) =>
        [.. clients.Select(client => client.Number).Order()];

    private static int[] TopicsOf(string filters, SeenNames names)
    {
        var each = filters
            .Split('\n')
            .Where(filter => !SeenNames.IsShared(filter))
            .Select(Encoding.UTF8.GetBytes)
            .ToList();
        return
        [
            .. names
                .Topics.Where(topic => each.Exists(filter => TopicFilter.Matches(filter, topic.Name)))
                .Select(topic => topic.Number)
                .Distinct()
                .Order(),
        ];
    }
}
