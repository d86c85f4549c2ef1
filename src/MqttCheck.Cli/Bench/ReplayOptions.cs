using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Replay;
using MqttCheck.Cli.Learn;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using Command = System.CommandLine.Command;

namespace MqttCheck.Cli.Bench;

/// <summary>The options of <c>mqttcheck bench</c> that send the traffic of a capture.</summary>
internal sealed class ReplayOptions
{
    private readonly Option<FileInfo?> _replay = new("--replay")
    {
        HelpName = "CAPTURE",
        Description =
            "Send what the clients of a capture (pcap or pcapng) sent, at its times: connects, subscriptions, and "
            + "messages with made-up payloads of the same sizes.",
    };

    private readonly Option<double> _speed = new("--speed")
    {
        HelpName = "N",
        Description = "With --replay: how many times as fast as the capture. Default 1.",
        DefaultValueFactory = _ => 1,
        CustomParser = result => Values.Between(0, 1000.000001)(result),
    };

    private readonly Option<double> _share = new("--share")
    {
        HelpName = "P",
        Description = "With --replay: the share of the clients that send, such as 10% or 0.1. Default: all.",
        DefaultValueFactory = _ => 1,
        CustomParser = Share,
    };

    private readonly CaptureOptions _capture = new();

    private Option[] Others => [_speed, _share, _capture.Ports, _capture.Addresses, _capture.TlsKeys, _capture.Names];

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(_replay);
        foreach (var option in Others)
            command.Options.Add(option);
    }

    /// <summary>The capture; null without one.</summary>
    public string? FileOf(ParseResult parse) => parse.GetValue(_replay)?.ToString();

    /// <summary>Refuses options of a replay without a replay.</summary>
    public void RejectAlone(ParseResult parse)
    {
        if (Others.FirstOrDefault(option => BenchOptions.Given(parse, option)) is { } given)
            throw new InputException($"{given.Name}: given without --replay; allowed: beside it.");
    }

    /// <summary>The replay, but for the broker.</summary>
    /// <exception cref="InputException">The file is no capture.</exception>
    public BenchReplayRequest RequestOf(ParseResult parse, string capture, BrokerChoice choice, TimeSpan drain)
    {
        if (!File.Exists(capture))
            throw new InputException($"--replay: there is no file \"{capture}\"; allowed: a capture (pcap or pcapng)");
        if (!CaptureFormat.IsCapture(capture))
            throw new InputException(
                $"--replay: \"{capture}\" is no capture; allowed: packets in pcap or pcapng. A log does not say which "
                    + "topics are retained and what its filters are. Next step: the capture that the log was made of, "
                    + "or '--profile' with the clients that 'learn' found in it (.profile.json beside the model)"
            );
        return new(
            _capture.RequestOf(parse, capture, ""),
            parse.GetValue(_speed),
            parse.GetValue(_share),
            choice.Seed,
            drain
        );
    }

    private static double Share(ArgumentResult result)
    {
        var text = result.Tokens[0].Value;
        var isPercent = text.EndsWith('%');
        var isNumber = double.TryParse(
            isPercent ? text[..^1] : text,
            NumberStyles.Float,
            CultureInfo.InvariantCulture,
            out var number
        );
        var share = isPercent ? number / 100 : number;
        if (isNumber && share is > 0 and <= 1)
            return share;
        result.AddError($"--share: '{text}' is not allowed; allowed: above 0% up to 100%, such as 10% or 0.1");
        return 1;
    }
}
