using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;
using MqttCheck.Captures.Tls;
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
        using var log = new BookedLog(request.Log, ResolutionNanoseconds);
        try
        {
            var damage = CapturePackets.Read(request, log.Book, zero => log.Zero = zero, log.Counts, out var span);
            log.Book.End();
            RequireOneBroker(request, log.Book, log.Counts);
            var origin = new LogOrigin("capture", request.ToolVersion, request.KeepsNames);
            return log.Finish(origin, span, ObservationPoint.Of(log.Counts.Handshakes), damage);
        }
        catch
        {
            log.Discard();
            throw;
        }
    }

    /// <summary>Refuses a capture without MQTT, or with that of several brokers of which none was named.</summary>
    internal static void RequireOneBroker(CaptureRequest request, ExchangeBook book, CaptureCounts counts)
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
}
