using System.CommandLine;
using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Tls;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Serve;

/// <summary>
/// The options of <c>mqttcheck broker</c> that say where it listens beside TCP: TLS, WebSocket, and both; and the
/// address of all.
/// </summary>
internal sealed class BrokerListenerOptions
{
    private readonly Option<int?> _tlsPort = Port(
        "--tls-port",
        "Port for TLS (mqtts); 0 takes a free one. Needs --cert."
    );
    private readonly Option<int?> _webSocketPort = Port(
        "--ws-port",
        "Port for WebSocket (ws), on any path; 0 takes a free one."
    );
    private readonly Option<int?> _secureWebSocketPort = Port(
        "--wss-port",
        "Port for WebSocket over TLS (wss), on any path; 0 takes a free one. Needs --cert."
    );

    private readonly Option<FileInfo?> _certificate = new("--cert")
    {
        HelpName = "FILE",
        Description = "The broker's certificate, PEM, followed by those that sign it.",
    };

    private readonly Option<FileInfo?> _key = new("--key")
    {
        HelpName = "FILE",
        Description = "Its private key, PEM, not encrypted. Default: in the file of the certificate.",
    };

    private readonly Option<FileInfo?> _clientRoots = new("--client-ca")
    {
        HelpName = "FILE",
        Description = "Clients over TLS have to show a certificate that one of these authorities, PEM, has signed.",
    };

    /// <summary><c>--address</c>: the address that all listen on.</summary>
    public Option<string> Address { get; } =
        new("--address")
        {
            HelpName = "IP",
            Description = "Address to listen on. Default 127.0.0.1: this machine only.",
            DefaultValueFactory = _ => "127.0.0.1",
        };

    /// <summary>Adds the options to a command, apart from the address.</summary>
    public void AddTo(Command command) =>
        command.AddAll(_tlsPort, _webSocketPort, _secureWebSocketPort, _certificate, _key, _clientRoots);

    /// <summary>The address that was given.</summary>
    /// <exception cref="InputException">It is no IP address.</exception>
    public IPAddress AddressOf(ParseResult parse) =>
        IPAddress.TryParse(parse.GetValue(Address), out var ip)
            ? ip
            : throw new InputException(
                $"--address: '{parse.GetValue(Address)}' is not allowed; allowed "
                    + "is an IP address of this machine, such as 127.0.0.1 or ::1."
            );

    /// <summary>The listeners that were asked for, each with its scheme.</summary>
    /// <exception cref="InputException">A file cannot be read, or an option is missing or without use.</exception>
    public IReadOnlyList<(WireListener Listener, string Meaning)> Listeners(ParseResult parse)
    {
        var tls = Tls(parse);
        var ip = AddressOf(parse);
        var listeners = new List<(WireListener, string)>();
        if (parse.GetValue(_tlsPort) is { } tlsPort)
            listeners.Add((new(new(ip, tlsPort)) { Tls = tls }, "mqtts"));
        if (parse.GetValue(_webSocketPort) is { } webSocketPort)
            listeners.Add((new(new(ip, webSocketPort)) { WebSocket = new WebSocketServerOptions() }, "ws"));
        if (parse.GetValue(_secureWebSocketPort) is { } securePort)
            listeners.Add((new(new(ip, securePort)) { Tls = tls, WebSocket = new WebSocketServerOptions() }, "wss"));
        return listeners;
    }

    private static Option<int?> Port(string name, string description) =>
        new(name)
        {
            HelpName = "N",
            Description = description,
            CustomParser = result => Values.Integer(0, 65535)(result),
        };

    private TlsServerOptions? Tls(ParseResult parse)
    {
        var certificate = parse.GetValue(_certificate);
        var isWanted = parse.GetValue(_tlsPort) is not null || parse.GetValue(_secureWebSocketPort) is not null;
        if (isWanted && certificate is null)
            throw new InputException(
                "--cert: missing beside --tls-port or --wss-port; allowed: a PEM file with the broker's certificate."
            );
        if (!isWanted && (certificate ?? parse.GetValue(_key) ?? parse.GetValue(_clientRoots)) is not null)
            throw new InputException(
                "--cert, --key, --client-ca: given without --tls-port or --wss-port; allowed: only beside one of them."
            );
        if (certificate is null)
            return null;
        return new TlsServerOptions(
            PemFiles.ReadCertificateWithKey(certificate.ToString(), parse.GetValue(_key)?.ToString(), "--cert, --key")
        )
        {
            ClientRoots = parse.GetValue(_clientRoots) is { } roots
                ? PemFiles.ReadCertificates(roots.ToString(), "--client-ca")
                : null,
        };
    }
}
