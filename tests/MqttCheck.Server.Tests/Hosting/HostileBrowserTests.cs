using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;

namespace MqttCheck.Server.Tests.Hosting;

/// <summary>What a hostile page or program sends is refused with a reason, and costs little.</summary>
[TestFixture]
internal sealed class HostileBrowserTests : ServerFixture
{
    private const string Predictions = "/api/predictions";

    [Test]
    public async Task Without_the_token_nothing_is_answered()
    {
        using var stranger = Server.Client(knowsToken: false);
        foreach (var path in (string[])["/", "/what-if.js", "/api/setup", "/api/openapi.json", "/nothing"])
            await RefusedAsync(() => stranger.GetAsync(path), HttpStatusCode.Unauthorized, "token is missing");
        await RefusedAsync(
            () => stranger.GetAsync("/?token=" + new string('0', 48)),
            HttpStatusCode.Unauthorized,
            "token is wrong"
        );
    }

    [Test]
    public async Task The_token_in_the_address_is_exchanged_for_a_cookie_that_scripts_and_other_sites_cannot_use()
    {
        using var browser = Server.Client(knowsToken: false);
        using var answer = await browser.GetAsync("/?token=" + Server.Token);
        Assert.That(
            (answer.StatusCode, answer.Headers.Location!.ToString()),
            Is.EqualTo((HttpStatusCode.SeeOther, "/"))
        );
        var cookie = answer.Headers.GetValues("Set-Cookie").Single();
        Assert.That(cookie, Does.Contain("httponly").IgnoreCase.And.Contain("samesite=strict").IgnoreCase);

        browser.DefaultRequestHeaders.Add("Cookie", cookie.Split(';')[0]);
        using var page = await browser.GetAsync("/");
        Assert.That(page.StatusCode, Is.EqualTo(HttpStatusCode.OK));
        var policy = page.Headers.GetValues("Content-Security-Policy").Single();
        Assert.That(
            policy,
            Does.Contain("default-src 'none'")
                .And.Contain("script-src 'self'")
                .And.Contain("frame-ancestors 'none'")
                .And.Not.Contain("unsafe-eval")
                .And.Not.Contain("http")
        );
    }

    [TestCase("evil.example")]
    [TestCase("evil.example:80")]
    [TestCase("127.0.0.1")]
    [TestCase("127.0.0.1.evil.example")]
    public Task A_name_that_another_site_resolves_to_this_machine_is_refused(string host) =>
        RefusedAsync(
            () => SendAsync(request => request.Headers.Host = host),
            (HttpStatusCode)421,
            "This server is not"
        );

    [TestCase("http://evil.example")]
    [TestCase("https://127.0.0.1")]
    [TestCase("null")]
    public Task A_page_of_another_site_is_refused(string origin) =>
        RefusedAsync(
            () => SendAsync(request => request.Headers.Add("Origin", origin)),
            HttpStatusCode.Forbidden,
            "comes from a page of"
        );

    [Test]
    public async Task A_page_of_thisServer_is_answered()
    {
        using var answer = await SendAsync(request =>
            request.Headers.Add("Origin", Server.Page.ToString().TrimEnd('/'))
        );
        Assert.That(answer.StatusCode, Is.EqualTo(HttpStatusCode.OK));
    }

    [Test]
    public Task A_form_of_another_site_cannot_post() =>
        RefusedAsync(
            () => Client.PostAsync(Predictions, new StringContent(TestServer.Question(), Encoding.UTF8, "text/plain")),
            HttpStatusCode.UnsupportedMediaType,
            "not JSON"
        );

    [TestCase("/reports/../../../etc/passwd")]
    [TestCase("/reports/%2e%2e%2f%2e%2e%2fetc%2fpasswd")]
    [TestCase("/reports//etc/passwd")]
    [TestCase("/models/embedded-example.json")]
    public Task Paths_lead_to_no_file(string path) =>
        RefusedAsync(() => Client.GetAsync(path), HttpStatusCode.NotFound, "There is no");

    [Test]
    public Task A_method_that_is_not_allowed_names_those_that_are() =>
        RefusedAsync(() => Client.GetAsync(Predictions), HttpStatusCode.MethodNotAllowed, "allowed: POST");

    // The length is only said: a server that waited for the body would run into the time-out.
    [TestCase("Content-Length: 1073741824", "{")]
    // Without a length the server reads until its limit; memory is bounded by that.
    [TestCase("Transfer-Encoding: chunked", "7fffffff\r\n")]
    public async Task An_upload_of_a_gigabyte_is_refused_before_it_arrives(string length, string beginning)
    {
        using var socket = new TcpClient();
        await socket.ConnectAsync(Server.Server.Endpoint);
        await using var stream = socket.GetStream();
        await stream.WriteAsync(
            Encoding.ASCII.GetBytes(
                $"POST /api/profiles HTTP/1.1\r\nHost: {Server.Server.Endpoint}\r\n"
                    + $"Authorization: Bearer {Server.Token}\r\n"
                    + $"Content-Type: application/json\r\n{length}\r\n\r\n{beginning}"
            )
        );
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        var sending = Task.Run(async () =>
        {
            var spaces = new byte[65_536];
            try
            {
                while (!limit.IsCancellationRequested)
                    await stream.WriteAsync(spaces, limit.Token);
            }
            catch (Exception ended) when (ended is IOException or OperationCanceledException)
            {
                // The server does not take more.
            }
        });
        using var reader = new StreamReader(stream);
        Assert.That(await reader.ReadLineAsync(limit.Token), Does.Contain("413"));
        await limit.CancelAsync();
        await sending;
    }

    [Test]
    public async Task Nothing_is_written_for_what_is_refused()
    {
        await RefusedAsync(
            () => Client.PostAsync("/api/commands", TestServer.Json(TestServer.Question(threshold: null))),
            HttpStatusCode.BadRequest,
            "thresholdMilliseconds: missing"
        );
        Assert.That(Directory.EnumerateFileSystemEntries(Server.Output), Is.Empty);
    }

    [Test]
    public async Task AServer_without_a_broker_says_so() =>
        await RefusedAsync(
            () => Client.PostAsync("/api/verification-plans", TestServer.Json(TestServer.Question())),
            HttpStatusCode.NotFound,
            "no live broker"
        );

    private Task<HttpResponseMessage> SendAsync(Action<HttpRequestMessage> change)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, "/api/setup");
        change(request);
        return Client.SendAsync(request);
    }

    private static async Task RefusedAsync(Func<Task<HttpResponseMessage>> send, HttpStatusCode status, string reason)
    {
        using var answer = await send();
        await TestServer.AssertRefusedAsync(answer, status, reason);
    }
}
