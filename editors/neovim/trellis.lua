-- Trellis as a language server in Neovim 0.7 and later: copy this file to ~/.config/nvim/plugin/.
--
-- vim.g.trellis may say which program to start and with what:
--   vim.g.trellis = { path = "trellis", options = { timeoutSeconds = 10 } }

local settings = vim.g.trellis or {}
local client

vim.api.nvim_create_autocmd("FileType", {
  pattern = { "c", "java" },
  callback = function(args)
    -- One server for all buffers; when it has ended, another one.
    if not client or vim.lsp.client_is_stopped(client) then
      client = vim.lsp.start_client({
        name = "trellis",
        cmd = { settings.path or "trellis", "lsp" },
        root_dir = vim.fn.getcwd(),
        init_options = settings.options or vim.empty_dict(),
      })
    end
    if client then
      vim.lsp.buf_attach_client(args.buf, client)
    end
  end,
})
