using System.Net;
using MqttCheck.Workers.Joining;

namespace MqttCheck.Workers.Tests.Joining;

[TestFixture]
internal sealed class WorkerAddressTests
{
    [Test]
    public void The_first_worker_is_named_by_host_and_port()
    {
        var address = WorkerAddress.Parse("127.0.0.1:11111", "--join");
        Assert.That(address.First, Is.EqualTo(new IPEndPoint(IPAddress.Loopback, 11111)));
        Assert.That(address.RedisOptions, Is.Null);
        Assert.That(
            WorkerAddress.Parse("[::1]:11111", "--join").First,
            Is.EqualTo(new IPEndPoint(IPAddress.IPv6Loopback, 11111))
        );
    }

    [Test]
    public void Redis_is_named_by_a_url_whose_password_is_never_shown()
    {
        var address = WorkerAddress.Parse("rediss://user:p%40ss@cache.example:7000", "--join");
        Assert.That(address.Text, Is.EqualTo("rediss://cache.example:7000"));
        var options = address.RedisOptions!;
        Assert.That((options.User, options.Password, options.Ssl), Is.EqualTo(("user", "p@ss", true)));
        Assert.That(WorkerAddress.Parse("redis://localhost", "--join").Text, Is.EqualTo("redis://localhost:6379"));
    }

    [TestCase("localhost")]
    [TestCase("localhost:0")]
    [TestCase("localhost:65535")]
    [TestCase(":11111")]
    [TestCase("http://localhost:1")]
    [TestCase("redis://")]
    [TestCase("redis://localhost:1/0")]
    public void Anything_else_is_refused_with_what_is_allowed(string text) =>
        Assert.That(
            () => WorkerAddress.Parse(text, "--join"),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("--join: '")
                .And.Message.Contains("allowed is redis://")
        );

    [Test]
    public void A_refusal_shows_no_password() =>
        Assert.That(
            () => WorkerAddress.Parse("redis://:secret@host:1/0", "--join"),
            Throws.TypeOf<InputException>().With.Message.Not.Contains("secret")
        );
}
