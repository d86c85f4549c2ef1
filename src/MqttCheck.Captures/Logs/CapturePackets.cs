using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;
using MqttCheck.Captures.Tls;

namespace MqttCheck.Captures.Logs;

/// <summary>Reads the MQTT packets of a capture, from the first to the last.</summary>
internal static class CapturePackets
{
    /// <summary>Reads a capture.</summary>
    /// <param name="request">The capture.</param>
    /// <param name="listener">Takes the packets.</param>
    /// <param name="begins">Is told the time of the first packet.</param>
    /// <param name="counts">Counts what is not usable.</param>
    /// <param name="span">The time of the first and the last packet.</param>
    /// <returns>Why the file was not read to its end, or null.</returns>
    public static string? Read(
        CaptureRequest request,
        IMqttListener listener,
        Action<long> begins,
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
            : new DecryptedConversations(decrypted, (ends, beginning) => new(ends, beginning, sides, listener, counts));
        var connections = new TcpConnections(
            (ends, beginning) =>
            {
                records?.Restart(ends);
                return new MqttConversation(ends, beginning, sides, listener, counts)
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
                begins(frame.Nanoseconds);
            span = span.With(frame.Nanoseconds);
            if (!parser.TryParse(frame, out var segment))
                continue;
            records?.ReadUntil(segment.Nanoseconds);
            connections.Add(segment);
        }
        connections.End();
        records?.ReadUntil(long.MaxValue);
        counts.Bytes = reader.Position;
        return reader.Damage;
    }
}
