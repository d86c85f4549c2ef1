using System.Buffers.Binary;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using MqttCheck.Captures.Files;

namespace MqttCheck.Captures.Tls;

/// <summary>The decrypted bytes of a capture: tshark reads it once more, with the keys of the sessions.</summary>
internal sealed class TlsRecords : IDisposable
{
    private const int ClientHello = 1;

    private readonly Process _program;
    private readonly Task<string> _errors;
    private readonly string _keys;

    private TlsRecords(Process program, string keys)
    {
        (_program, _keys) = (program, keys);
        _errors = program.StandardError.ReadToEndAsync();
    }

    /// <summary>Starts to decrypt a capture.</summary>
    /// <param name="capture">The path of the capture.</param>
    /// <param name="keys">The path of the key log.</param>
    /// <exception cref="InputException">There is no such key log, or no tshark.</exception>
    public static TlsRecords Open(string capture, string keys)
    {
        if (!File.Exists(keys))
            throw new InputException(
                $"--tls-keys \"{keys}\": there is no such file; allowed: a key log, which SSLKEYLOGFILE writes"
            );
        var start = new ProcessStartInfo("tshark") { RedirectStandardOutput = true, RedirectStandardError = true };
        string[] arguments =
        [
            "-n",
            "-r",
            capture,
            "-o",
            $"tls.keylog_file:{Path.GetFullPath(keys)}",
            "-o",
            "tls.desegment_ssl_application_data:FALSE",
            "-U",
            "OSI layer 7",
            "-w",
            "-",
        ];
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        // Only streams of a known protocol are exported, and those of most as whole messages; plain data is not.
        foreach (var port in Ports(capture))
        {
            start.ArgumentList.Add("-d");
            start.ArgumentList.Add(string.Create(CultureInfo.InvariantCulture, $"tls.port=={port},data"));
        }
        try
        {
            return new(Process.Start(start)!, keys);
        }
        catch (Win32Exception failure)
        {
            throw new InputException(
                "--tls-keys: tshark is not installed, which decrypts TLS; allowed: with tshark (Debian: apt-get "
                    + "install tshark), or a capture behind the end of TLS",
                failure
            );
        }
    }

    /// <summary>The decrypted bytes, in the form of a capture file.</summary>
    public Stream Output => _program.StandardOutput.BaseStream;

    /// <summary>Says why nothing was decrypted.</summary>
    public InputException Failure() =>
        new(
            $"--tls-keys \"{_keys}\": tshark decrypted nothing"
                + (_program.HasExited && _program.ExitCode != 0 ? $" ({LastError()})" : "")
                + "; allowed: the key log of the very sessions, and a capture that has their handshakes"
        );

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_program.HasExited)
            _program.Kill();
        _program.WaitForExit();
        _program.Dispose();
    }

    private string LastError() => _errors.Result.Trim().Split('\n')[^1];

    // The ports that clients greeted.
    private static SortedSet<int> Ports(string capture)
    {
        var ports = new SortedSet<int>();
        var counts = new CaptureCounts();
        using var file = File.OpenRead(capture);
        var reader = new CaptureFileReader(file, counts);
        var parser = new FrameParser(counts);
        while (reader.TryRead(out var frame))
        {
            if (
                parser.TryParse(frame, out var segment)
                && segment.Data is [0x16, 3, _, _, _, ClientHello, ..]
                && BinaryPrimitives.ReadUInt16BigEndian(segment.Data[3..]) > 0
            )
                ports.Add(segment.Destination.Port);
        }
        return ports;
    }
}
