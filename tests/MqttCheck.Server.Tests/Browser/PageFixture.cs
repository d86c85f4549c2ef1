using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>Tests of the page, on which nothing is complained of but what a test provokes.</summary>
internal abstract class PageFixture
{
    /// <summary>Words of the complaints that a test provokes; null for none.</summary>
    protected string? Provoked { get; set; }

    private List<string> Complaints { get; set; } = null!;

    [SetUp]
    public void Forget() => (Complaints, Provoked) = ([], null);

    [TearDown]
    public void Nothing_else_is_complained_of() =>
        Assert.That(Complaints.Where(one => Provoked is null || !one.Contains(Provoked)), Is.Empty);

    protected Task<IPage> OpenAsync(string fragment, BrowserNewContextOptions? options = null) =>
        OpenAddressAsync(SharedPage.Server.Server.Address + fragment, options);

    protected Task<IPage> OpenAddressAsync(string address, BrowserNewContextOptions? options = null) =>
        SharedPage.Browser.OpenAsync(address, Complaints, options);
}
