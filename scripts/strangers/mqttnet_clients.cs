#:package MQTTnet
#:property ManagePackageVersionsCentrally=true
#:property RestorePackagesWithLockFile=false
#:property PublishAot=false
// Runs groups of clients with MQTTnet: BROKER_PORT SECONDS GROUPS(JSON). Prints what each group did, as JSON.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using MQTTnet;
using MQTTnet.Protocol;

var port = int.Parse(args[0]);
var end = Stopwatch.GetTimestamp() + (long)(double.Parse(args[1]) * Stopwatch.Frequency);
var groups = JsonNode.Parse(args[2])!.AsArray().Select(group => group!.AsObject()).ToList();
var done = groups.ToDictionary(Name, _ => new Done());
var factory = new MqttClientFactory();
await Task.WhenAll(
    groups.SelectMany(group => Enumerable.Range(0, (int)group["clients"]!).Select(number => RunAsync(group, number)))
);
var result = new JsonObject();
foreach (var (name, of) in done)
    result[name] = new JsonObject
    {
        ["intervals"] = new JsonArray([.. of.Intervals.Select(interval => JsonValue.Create(interval))]),
        ["sizes"] = new JsonArray([.. of.Sizes.Select(size => JsonValue.Create(size))]),
        ["absences"] = new JsonArray([.. of.Absences.Select(absence => JsonValue.Create(absence))]),
    };
Console.WriteLine(result.ToJsonString());

static string Name(JsonObject group) => (string)group["name"]!;
static string Named(JsonNode text, string name) => ((string)text!).Replace("{}", name);
static double Wait(JsonObject group) =>
    group["random"] is null
        ? (double)group["every"]!
        : -Math.Log(1 - Random.Shared.NextDouble()) * (double)group["every"]!;

async Task<IMqttClient> ConnectedAsync(JsonObject group, string name)
{
    var client = factory.CreateMqttClient();
    var options = factory
        .CreateClientOptionsBuilder()
        .WithTcpServer("127.0.0.1", port)
        .WithClientId(name)
        .WithProtocolVersion(MQTTnet.Formatter.MqttProtocolVersion.V311)
        .WithCleanSession((bool?)group["clean"] ?? true)
        .WithKeepAlivePeriod(TimeSpan.FromSeconds((int?)group["keepAlive"] ?? 60));
    if (group["birth"] is { } birth)
        options = options
            .WithWillTopic(Named(birth, name))
            .WithWillPayload("gone")
            .WithWillQualityOfServiceLevel(MqttQualityOfServiceLevel.AtLeastOnce)
            .WithWillRetain();
    if (group["answer"] is { } answer)
        client.ApplicationMessageReceivedAsync += received =>
            PublishAsync(client, Named(answer, received.ApplicationMessage.Topic.Split('/')[^1]), 'r', 30, 0, false);
    await client.ConnectAsync(options.Build());
    if (group["birth"] is { } topic)
        await PublishAsync(client, Named(topic, name), 'b', 12, 1, true);
    foreach (var filter in group["filters"]?.AsArray() ?? [])
        await client.SubscribeAsync(
            Named(filter!, name),
            (MqttQualityOfServiceLevel)((int?)group["subscribeQos"] ?? 0)
        );
    return client;
}

static Task PublishAsync(IMqttClient client, string topic, char letter, int bytes, int qos, bool retain) =>
    client.PublishStringAsync(topic, new string(letter, bytes), (MqttQualityOfServiceLevel)qos, retain);

async Task RunAsync(JsonObject group, int number)
{
    var name = $"{Name(group)}-{number:000}";
    await Task.Delay(Random.Shared.Next(500));
    var client = await ConnectedAsync(group, name);
    long? latest = null;
    await Task.Delay(200 + (group["topic"] is null ? 0 : (int)(Wait(group) * Random.Shared.NextDouble())));
    while (Stopwatch.GetTimestamp() < end)
    {
        if (group["topic"] is not { } topic)
        {
            await Task.Delay(100);
            continue;
        }
        var now = Stopwatch.GetTimestamp();
        var size = Random.Shared.Next((int)group["bytes"]![0]!, (int)group["bytes"]![1]! + 1);
        await PublishAsync(client, Named(topic, name), 'x', size, (int)group["qos"]!, (bool?)group["retain"] ?? false);
        if (latest is { } before)
            done[Name(group)].Intervals.Add(Stopwatch.GetElapsedTime(before, now).TotalSeconds);
        done[Name(group)].Sizes.Add(size);
        latest = now;
        if (group["away"] is { } away)
        {
            var gone = Stopwatch.GetTimestamp();
            await client.DisconnectAsync();
            latest = null;
            await Task.Delay((int)away);
            done[Name(group)].Absences.Add(Stopwatch.GetElapsedTime(gone).TotalSeconds);
            if (Stopwatch.GetTimestamp() < end)
                client = await ConnectedAsync(group, name);
            continue;
        }
        await Task.Delay(Math.Max(0, (int)(Wait(group) - Stopwatch.GetElapsedTime(now).TotalMilliseconds)));
    }
    if (group["away"] is null)
        await client.DisconnectAsync();
}

internal sealed class Done
{
    public ConcurrentBag<double> Intervals { get; } = [];
    public ConcurrentBag<int> Sizes { get; } = [];
    public ConcurrentBag<double> Absences { get; } = [];
}
