using System.CommandLine;
using System.CommandLine.Parsing;
using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Cli.Options;

/// <summary>The options that say how to speak TLS with a running broker.</summary>
internal sealed class TlsOptions
{
    private readonly Option<FileInfo?> _roots = new("--ca-file")
    {
        HelpName = "FILE",
        Description =
            "For mqtts:// and wss://: trust only the authorities in this PEM file. Default: those of the system.",
    };

    private readonly Option<string?> _serverName = new("--server-name")
    {
        HelpName = "NAME",
        Description =
            "For mqtts:// and wss://: the name that the broker's "
            + "certificate has to carry. Default: the host of the address.",
    };

    private readonly Option<FileInfo?> _certificate = new("--client-cert")
    {
        HelpName = "FILE",
        Description = "For mqtts:// and wss://: the certificate to show the broker, PEM.",
    };

    private readonly Option<FileInfo?> _key = new("--client-key")
    {
        HelpName = "FILE",
        Description = "Its private key, PEM, not encrypted. Default: in the file of the certificate.",
    };

    private readonly Option<bool> _unchecked = new("--tls-unchecked")
    {
        Description = "For mqtts:// and wss://: accept any certificate of the broker. For tests only.",
    };

    private Option[] All => [_roots, _serverName, _certificate, _key, _unchecked];

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command) => command.AddAll(All);

    /// <summary>The options as given, to be given again.</summary>
    public IEnumerable<string> Repeated(ParseResult parse) =>
        All.Select(parse.GetResult)
            .OfType<OptionResult>()
            .Where(result => !result.Implicit)
            .SelectMany(result => (string[])[result.Option.Name, .. result.Tokens.Select(token => token.Value)]);

    /// <summary>The TLS options that the user chose.</summary>
    /// <param name="isTls">Whether TLS is spoken with a running broker, so that it is the user's choice.</param>
    /// <param name="brokers">The brokers that were given, for messages.</param>
    /// <param name="allowed">The brokers with which the options may be given, for messages.</param>
    /// <exception cref="InputException">
    /// A file cannot be read, or the broker is not one whose TLS is the user's choice.
    /// </exception>
    public TlsClientOptions Choose(ParseResult parse, bool isTls, string brokers, string allowed)
    {
        var given = All.FirstOrDefault(option => parse.GetResult(option) is { Implicit: false });
        if (given is null)
            return new();
        if (!isTls)
            throw new InputException($"{given.Name}: given for {brokers}; allowed: only with {allowed}.");
        var (roots, certificate, key) = (parse.GetValue(_roots), parse.GetValue(_certificate), parse.GetValue(_key));
        if (roots is not null && parse.GetValue(_unchecked))
            throw new InputException("--tls-unchecked: given beside --ca-file; allowed: one of them.");
        if (key is not null && certificate is null)
            throw new InputException("--client-key: given without --client-cert; allowed: only beside it.");
        return new()
        {
            ServerName = parse.GetValue(_serverName),
            TrustedRoots = roots is null ? null : PemFiles.ReadCertificates(roots.ToString(), "--ca-file"),
            Certificate = certificate is null
                ? null
                : PemFiles.ReadCertificateWithKey(
                    certificate.ToString(),
                    key?.ToString(),
                    "--client-cert, --client-key"
                ),
            IsUnchecked = parse.GetValue(_unchecked),
        };
    }
}
