using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using MqttCheck.AcceptanceTests;

namespace MqttCheck.Server.Tests.Hosting;

/// <summary>A log that a browser sends becomes the model of 'mqttcheck learn', or leaves nothing.</summary>
[TestFixture]
internal sealed class LogUploadTests : FreshServerFixture
{
    private const string Models = "/api/models";

    [Test]
    [Category("Whole")]
    public async Task A_log_becomes_the_model_that_its_command_learns()
    {
        var learned = await LearnAsync(
            ("log", SampleLog.Bytes()),
            ("information", File.ReadAllBytes(SampleLog.Information))
        );
        var model = learned.GetProperty("model");
        Assert.That(model.GetProperty("broker").GetString(), Does.StartWith("embedded"));
        var file = model.GetProperty("file").GetString()!;
        var words = learned.GetProperty("command").GetString()!.Split(' ');
        var again = Path.Combine(Server.Root, "again.json");
        var result = await ToolProcess.RunAsync(Server.Root, [.. words[1..^1], again]);
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        Assert.That(File.ReadAllBytes(file), Is.EqualTo(File.ReadAllBytes(again)));

        // It is offered, and answers.
        var question = TestServer
            .Question()
            .Replace("embedded-example", model.GetProperty("name").GetString()!, StringComparison.Ordinal);
        Assert.That(
            await TestServer.EventsAsync(Client, "/api/predictions", question),
            Has.Some.Matches<(string Name, JsonElement)>(one => one.Name == "answer")
        );
    }

    [Test]
    [Category("Whole")]
    public async Task The_same_log_again_is_the_same_model_and_a_missing_file_beside_it_is_said()
    {
        var first = await LearnAsync(("log", SampleLog.Bytes()));
        Assert.That(
            first.GetProperty("notes").EnumerateArray().Select(note => note.GetString()),
            Has.Some.Contains("there is no such file; broker, machine and seed of the log are unknown")
        );
        var second = await LearnAsync(("log", SampleLog.Bytes()));
        Assert.That(second.GetProperty("model").GetRawText(), Is.EqualTo(first.GetProperty("model").GetRawText()));
    }

    [TestCase("log", "not a log\n1,2\n", "not an exchange log")]
    [TestCase("information", "{}", "There is no log; allowed: a form with the part \"log\"")]
    [TestCase("../../log", "x", "part \"../../log\" given; allowed: a form with the part \"log\"")]
    public async Task Whatever_is_no_log_is_refused_and_nothing_of_it_stays(string part, string content, string reason)
    {
        using var answer = await SendAsync((part, Encoding.UTF8.GetBytes(content)));
        await TestServer.AssertRefusedAsync(answer, HttpStatusCode.BadRequest, reason);
        Assert.That(Directory.EnumerateFiles(Server.Root, "*", SearchOption.AllDirectories), Is.Empty);
    }

    [Test]
    public async Task A_body_that_is_no_form_is_refused()
    {
        using var answer = await Client.PostAsync(Models, TestServer.Json("{}"));
        await TestServer.AssertRefusedAsync(answer, HttpStatusCode.UnsupportedMediaType, "This is no form");
    }

    [Test]
    public async Task A_log_of_a_gigabyte_is_refused_before_it_arrives()
    {
        using var socket = await BeginAsync(1_073_741_824);
        using var reader = new StreamReader(socket.GetStream());
        Assert.That(await reader.ReadLineAsync(), Does.Contain("413"));
        Assert.That(Directory.EnumerateFiles(Server.Root, "*", SearchOption.AllDirectories), Is.Empty);
    }

    [Test]
    public async Task One_log_is_received_at_a_time()
    {
        using (await BeginAsync(1_000_000))
        {
            // The first has begun once its file is there.
            for (var i = 0; i < 1000 && !File.Exists(Path.Combine(Server.Output, "logs", "upload.part")); i++)
                await Task.Delay(10);
            using var answer = await SendAsync(("log", [1]));
            await TestServer.AssertRefusedAsync(answer, HttpStatusCode.Conflict, "Another log is being received");
        }
    }

    // A request that says its length and sends the beginning of a log.
    private async Task<TcpClient> BeginAsync(long length)
    {
        var socket = new TcpClient();
        await socket.ConnectAsync(Server.Server.Endpoint);
        await socket
            .GetStream()
            .WriteAsync(
                Encoding.ASCII.GetBytes(
                    $"POST {Models} HTTP/1.1\r\nHost: {Server.Server.Endpoint}\r\n"
                        + $"Authorization: Bearer {Server.Token}\r\nContent-Length: {length}\r\n"
                        + "Content-Type: multipart/form-data; boundary=part\r\n\r\n"
                        + "--part\r\nContent-Disposition: form-data; name=\"log\"\r\n\r\n0,1,2\r\n"
                )
            );
        return socket;
    }

    private async Task<JsonElement> LearnAsync(params (string Part, byte[] Content)[] parts)
    {
        using var answer = await SendAsync(parts);
        var text = await answer.Content.ReadAsStringAsync();
        Assert.That(answer.StatusCode, Is.EqualTo(HttpStatusCode.OK), text);
        return JsonElement.Parse(text);
    }

    private async Task<HttpResponseMessage> SendAsync(params (string Part, byte[] Content)[] parts)
    {
        using var form = new MultipartFormDataContent();
        foreach (var (part, content) in parts)
            form.Add(new ByteArrayContent(content), part, "../../../name.csv");
        return await Client.PostAsync(Models, form);
    }
}
