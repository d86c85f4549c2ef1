using System.IO.Compression;
using System.Text;
using System.Text.Json.Nodes;
using MqttCheck.App.Runs;

namespace MqttCheck.Cli.Tests;

/// <summary>Makes the files that docs/evidence/bad-input.md names, in the current directory.</summary>
internal static class BadInputFiles
{
    private const string Profile = """
        { "name": "x", "waitMilliseconds": { "uniform": [0, 500] }, "weights": { "publish": 5, "disconnect": 1 } }
        """;

    public static async Task MakeAsync()
    {
        Directory.CreateDirectory("a-directory");
        foreach (
            var (name, text) in (ReadOnlySpan<(string, string)>)
                [
                    ("a-file", "x"),
                    ("ca.pem", "x"),
                    ("key.pem", "x"),
                    ("empty.json", ""),
                    ("empty.csv", ""),
                    ("not-json.json", "hello"),
                    ("truncated.json", "{ \"name\": \"x\","),
                    ("array.json", "[]"),
                    ("cluster.json", """{ "system": "flood", "name": "c", "family": "mesh:2" }"""),
                    (
                        "bad-property.json",
                        "{ \"system\": \"flood\", \"name\": \"c\", \"family\": \"mesh:2\",\n"
                            + "  \"properties\": [\"P[ reapir < 5s ]\"] }"
                    ),
                    ("bad-scenario.json", """{ "name": "s", "properties": ["P[ repair < 5 ]"] }"""),
                    ("blank.csv", "\r\n\r\n"),
                    ("no-gzip.csv.gz", "hello"),
                    ("network.jani", """{ "jani-version": 1, "name": "x", "type": "sta" }"""),
                    ("steering.csv", "\e[31mX\e[0m,\ab\n1,2\n"),
                    ("steering.json", """{ "name": "x", "\u001b[31mwait": 1 }"""),
                    ("other.csv", "time,temperature\n1,20\n"),
                    (
                        "messages.csv",
                        "publisher,number,phase,qos,payload_bytes,intended_us,sent_us\n0,0,counted,1,20,1,1\n"
                    ),
                ]
        )
            File.WriteAllText(name, text);
        File.WriteAllText("utf-16.json", Profile, Encoding.Unicode);
        File.WriteAllBytes("binary.json", [0x7f, 0x45, 0x4c, 0x46, 0, 0x1b, 7]);
        File.Copy("binary.json", "binary.csv");
        File.WriteAllBytes("capture.pcap", [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0]);
        MakeProfiles();
        MakePopulations();
        MakeLogs();
        File.Copy(TestTool.Sample("results/embedded.prediction.json"), "prediction.json");
        var screen = await TestTool.SucceedAsync(
            "learn",
            "log.csv",
            "--learner",
            "least-squares",
            "--out",
            "model.json"
        );
        var model = File.ReadAllText("model.json");
        File.WriteAllText("model-truncated.json", model[..(model.Length / 2)]);
    }

    private static void MakeProfiles()
    {
        File.WriteAllText(
            "profile-twice.json",
            Profile.Replace("{ \"name\"", "{ \"qos\": 1, \"qos\": 2, \"name\"", StringComparison.Ordinal)
        );
        File.WriteAllText(
            "profile-negative-wait.json",
            "{\n \"name\": \"x\",\n \"waitMilliseconds\": -5,\n \"weights\": { \"publish\": 1 }\n}"
        );
        (string Name, string Key, string? Value)[] changes =
        [
            ("no-wait", "waitMilliseconds", null),
            ("no-weights", "weights", null),
            ("unknown-key", "topicz", "5"),
            ("wait-text", "waitMilliseconds", "\"soon\""),
            ("law-unknown", "waitMilliseconds", "{ \"gauss\": 5 }"),
            ("range-reversed", "waitMilliseconds", "{ \"uniform\": [9, 5] }"),
            ("weights-zero", "weights", "{ \"publish\": 0 }"),
            ("weight-negative", "weights", "{ \"publish\": -1 }"),
            ("weight-unknown", "weights", "{ \"publsh\": 1 }"),
            ("topics-zero", "topics", "0"),
            ("payload-small", "payloadBytes", "11"),
            ("payload-three", "payloadBytes", "[12, 20, 30]"),
            ("qos-3", "qos", "3"),
            ("qos-weights", "qos", "{ \"publish\": [0, 0, 0] }"),
            ("session", "session", "\"new\""),
            ("length-zero", "sequenceLength", "0"),
            ("topic-wildcard", "topicName", "\"a/+/{topic}\""),
            ("name", "name", "\"a/b\""),
            ("ramp-up", "rampUpSeconds", "-1"),
            ("stages", "stages", "[{ \"seconds\": 5, \"load\": 0 }]"),
            ("share", "sharedSubscription", "\"pool\""),
            ("retain", "retain", "5"),
            ("properties", "userProperties", "[]"),
            ("kept", "retain", "true"),
            ("aliases", "topicAliases", "5"),
            ("stages-text", "stages", "\"busy\""),
            ("properties-text", "userProperties", "\"none\""),
        ];
        foreach (var (name, key, value) in changes)
        {
            var profile = JsonNode.Parse(Profile)!.AsObject();
            profile.Remove(key);
            if (value is not null)
                profile[key] = JsonNode.Parse(value);
            File.WriteAllText($"profile-{name}.json", profile.ToJsonString());
        }
    }

    private static void MakePopulations()
    {
        var profile = JsonNode.Parse(Profile)!.AsObject();
        profile.Remove("name");
        var sensors = $$"""{ "name": "sensors", "share": 1, "profile": {{profile.ToJsonString()}} }""";
        (string Name, string Groups)[] populations =
        [
            ("no-groups", "5"),
            ("empty", "[]"),
            ("share", $"[{sensors.Replace("\"share\": 1", "\"share\": -1", StringComparison.Ordinal)}]"),
            ("names", $"[{sensors}, {sensors}]"),
            ("missing-file", "[{ \"name\": \"sensors\", \"share\": 1, \"profile\": \"no-such.json\" }]"),
        ];
        foreach (var (name, groups) in populations)
            File.WriteAllText($"population-{name}.json", $$"""{ "name": "p", "groups": {{groups}} }""");
    }

    private static void MakeLogs()
    {
        using var stream = new GZipStream(
            File.OpenRead(TestTool.Sample("logs/embedded.csv.gz")),
            CompressionMode.Decompress
        );
        using var reader = new StreamReader(stream);
        var lines = reader.ReadToEnd().Split('\n');
        File.WriteAllText("log.csv", string.Join('\n', lines.Take(400)) + "\n");
        File.Copy(TestTool.Sample("logs/embedded.run.json"), "log.run.json");
        File.WriteAllText("header.csv", lines[0] + "\n");
        var at = lines[0].Split(',').Index().First(column => column.Item == "latency_ms").Index;
        var fields = lines[1].Split(',');
        fields[at] = "fast";
        File.WriteAllText("bad-number.csv", string.Join('\n', [lines[0], string.Join(',', fields), lines[2]]) + "\n");
    }
}
