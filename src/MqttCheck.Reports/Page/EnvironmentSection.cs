using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Page;

/// <summary>
/// The section about the environment of the results, the commands that repeat them, and the words of the page.
/// </summary>
internal static class EnvironmentSection
{
    private static readonly (string Word, string Meaning)[] Vocabulary =
    [
        (
            "Exchange",
            "One request of a client and everything it waits for, for example PUBLISH until PUBACK and all deliveries."
        ),
        (
            "Sequence",
            "A fixed number of exchanges of one client, one after the other. It is in time when each of them is."
        ),
        ("Setup", "A usage profile with a number of clients."),
        (
            "Simulation",
            "One independent imitation of a setup in virtual time, with latencies drawn from the learned model."
        ),
        (
            "Run",
            "One stretch of real traffic on the live broker. Sequences "
                + "of one run share its mood, so several runs are needed."
        ),
        ("Interval", "The values that the data do not rule out. Of 100 intervals of 95 %, 95 hold the truth."),
        (
            "Confirmed",
            "The truth is so close to the predicted probability that the difference does not matter: "
                + "inside the pale bar of its line. Not worse: only the lower end of the bar was tested."
        ),
        (
            "Likelihood ratio",
            "How many times better one hypothesis explains the outcomes than the other; its logarithm "
                + "grows by a fixed step with every sequence in time and falls with every late one."
        ),
        (
            "Inflation",
            "How many times more the results of runs differ than chance "
                + "alone would make them. 1: sequences are independent."
        ),
    ];

    public static void Write(HtmlWriter html, ReportInput input)
    {
        Section.Open(
            html,
            "environment",
            "Environment",
            "The results hold for this broker, these settings and this machine; on others, measure again."
        );
        html.Add($"""<div class="card columns">""");
        if (input.Broker is { } broker)
            Facts(
                html,
                "Broker",
                [
                    new("name", broker.Name),
                    new("version", broker.Version),
                    new("settings", broker.Settings),
                    .. broker.Details,
                ]
            );
        else
            html.Add($"""<div><h3>Broker</h3><p class="missing">The broker is not known.</p></div>""");
        if (input.Machine.Count > 0)
            Facts(html, "Machine", input.Machine);
        Facts(html, "Run", Run(input));
        if (input.Profiles.Count > 0)
            Facts(
                html,
                input.Profiles.Count == 1 ? "Usage profile" : "Usage profiles",
                input.Profiles.Select(profile => KeyValuePair.Create(profile.Name, profile.Description)),
                wide: true
            );
        html.Add($"</div>");
        Section.Close(html);

        Section.Open(
            html,
            "reproduce",
            "Reproduce",
            "The same log and seed give the same model and the same "
                + "prediction; what a live broker does is measured anew."
        );
        if (input.Reproduce.Count == 0)
            html.Add($"""<p class="missing">No command line was recorded.</p>""");
        foreach (var command in input.Reproduce)
            html.Add(
                $"""<p class="purpose">{Words.Sentence(command.Purpose)}</p><pre tabindex="0"><code>{command.CommandLine}</code></pre>"""
            );
        html.Add($"""<details class="words"><summary>Words used on this page</summary><dl>""");
        foreach (var (word, meaning) in Vocabulary)
            html.Add($"<dt>{word}</dt><dd>{meaning}</dd>");
        html.Add($"</dl></details>");
        Section.Close(html);
    }

    private static IEnumerable<KeyValuePair<string, string>> Run(ReportInput input)
    {
        yield return new("report made", Words.Time(input.GeneratedUtc));
        yield return new("MqttCheck", input.ToolVersion);
        if (input.Seed is { } seed)
            yield return new("seed", seed.ToString(System.Globalization.CultureInfo.InvariantCulture));
        if (input.ElapsedSeconds is { } seconds)
            yield return new("time taken", Words.Duration(seconds));
    }

    private static void Facts(
        HtmlWriter html,
        string heading,
        IEnumerable<KeyValuePair<string, string>> facts,
        bool wide = false
    )
    {
        html.Add($"""<div class="{(wide ? "wide" : "")}"><h3>{heading}</h3><dl>""");
        foreach (var (name, value) in facts)
            html.Add($"<dt>{name}</dt><dd>{value}</dd>");
        html.Add($"</dl></div>");
    }
}
