using System.Text;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Profiles;
using MqttCheck.Server.Questions;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>Whatever the form lets through the reader of files accepts, and the other way round.</summary>
[TestFixture]
internal sealed class FormTests : PageFixture
{
    private const int Profiles = 400;

    // One profile for all of them is made in the browser at once: a call for each takes longer than the form does.
    [Test]
    [Category("Whole")]
    public async Task The_form_and_the_reader_of_files_agree_on_random_profiles()
    {
        using var client = SharedPage.Server.Client();
        var page = await OpenAsync(SharedPage.FewClients);

        var documents = Documents().Sample(Profiles, Profiles);
        var made = await page.EvaluateAsync<string>(
            "documents => JSON.stringify(JSON.parse(documents).map(whatIf.roundTrip))",
            $"[{string.Join(',', documents)}]"
        );
        var (accepted, refused) = (0, 0);
        foreach (
            var (document, formed) in documents.Zip(
                JsonElement.Parse(made).EnumerateArray().Select(one => one.GetRawText())
            )
        )
        {
            var (file, form) = (Read(document), Read(formed));
            Assert.That(form?.Sha256, Is.EqualTo(file?.Sha256), $"{document}\n{formed}");
            // The form's own judge is the server.
            using var answer = await client.PostAsync("/api/profiles", TestServer.Json(formed));
            Assert.That(answer.IsSuccessStatusCode, Is.EqualTo(file is not null), document);
            if (file is null)
                refused++;
            else
                accepted++;
        }
        Assert.That(Math.Min(accepted, refused), Is.GreaterThan(Profiles / 10), "both kinds are made");
    }

    private static ProfileDocument? Read(string json)
    {
        try
        {
            return ProfileDocument.Of(ProfileFile.Parse(Encoding.UTF8.GetBytes(json), "file"));
        }
        catch (InputException)
        {
            return null;
        }
    }

    // Most values are allowed; some are at an edge or beyond.
    private static Gen<string> Documents()
    {
        var milliseconds = Gen.Frequency(
            (9, Gen.Choose(0, 5_000_000).Select(n => n / 1000.0)),
            (1, Gen.Elements(-1.0, 4e6))
        );
        var pair = milliseconds
            .Two()
            .Select(two => $"[{Text(Math.Min(two.Item1, two.Item2))}, {Text(Math.Max(two.Item1, two.Item2))}]");
        var wait = Gen.OneOf(
            milliseconds.Select(ms => $$"""{ "constant": {{Text(ms)}} }"""),
            milliseconds.Select(ms => $$"""{ "exponential": {{Text(ms)}} }"""),
            pair.Select(two => $$"""{ "uniform": {{two}} }"""),
            pair.Select(two => $$"""{ "normal": {{two}} }"""),
            Gen.Choose(0, 60)
                .Two()
                .Select(two => $$"""{ "lognormal": [{{Text(two.Item1 + .5)}}, {{Text(two.Item2 / 10.0)}}] }""")
        );
        var weight = Gen.Frequency((9, Gen.Choose(0, 100).Select(n => n / 10.0)), (1, Gen.Elements(-1.0, 0, 2e9)));
        var topics = Gen.Frequency((9, Gen.Choose(1, 65_536)), (1, Gen.Elements(0, 65_537)));
        var bytes = Gen.Frequency((9, Gen.Choose(12, 5000)), (1, Gen.Elements(11, 2_000_000)));
        var payload = Gen.OneOf(
            bytes.Select(size => $"{size}"),
            bytes.Two().Select(two => $"[{Math.Min(two.Item1, two.Item2)}, {Math.Max(two.Item1, two.Item2)}]"),
            bytes.Select(size => $$"""{ "exponential": 100, "minimum": {{size}} }""")
        );
        var qos = Gen.Frequency(
            (6, Gen.Choose(0, 2).Select(level => $"{level}")),
            (1, Gen.Constant("3")),
            (2, Gen.Constant("""{ "publish": [1, 2, 3], "subscribe": 2 }"""))
        );
        var profile =
            from law in wait
            from weights in weight.ListOf(4)
            from shared in topics
            from size in payload
            from level in qos
            from length in Gen.Frequency((9, Gen.Choose(1, 10_000)), (1, Gen.Elements(0, 10_001)))
            select $$"""
                { "name": "random", "waitMilliseconds": {{law}}, "weights": { "connect": 1, "disconnect": {{Text(
                    weights[0]
                )}},
                "publish": {{Text(weights[1])}}, "subscribe": {{Text(weights[2])}}, "unsubscribe": {{Text(
                    weights[3]
                )}} },
                "topics": {{shared}}, "payloadBytes": {{size}}, "qos": {{level}}, "sequenceLength": {{length}} }
                """;
        var population =
            from one in profile
            from other in profile
            from share in weight
            select $$"""
                { "name": "both", "groups": [{ "name": "a", "share": {{Text(share)}}, "profile": {{one}} },
                { "name": "b", "share": 2.5, "profile": {{other}} }] }
                """;
        return Gen.OneOf(profile, population);
    }

    private static string Text(double value) => value.ToString("R", System.Globalization.CultureInfo.InvariantCulture);
}
